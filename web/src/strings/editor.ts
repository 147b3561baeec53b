import { auditLimit } from "../../../core/audit/schema.ts";
import { freshHours } from "../../../core/draft/schema.ts";
import { mostManuscripts } from "../../../core/manuscript/schema.ts";
import { draftsPerDay, feePercent, priceRange } from "../../../core/press/schema.ts";
import { formatCount } from "../format.ts";
import type { PasteResult } from "../publish/article/clipboard.ts";
import type { Format, TableFormat } from "../publish/article/formats.ts";
import type { TextPart } from "../publish/audit/place.ts";
import type { FieldName } from "../publish/editor/text.ts";

const formatNumber = (value: number) => value.toLocaleString("en-US");

type PasteLosses = Omit<PasteResult, "blocks">;

const lostWords: Readonly<Record<NonNullable<PasteLosses["lost"]>, string>> = {
  formatting: "The content was added as plain text, without its formatting.",
  everything: "Nothing was added. Copy a smaller part of the content.",
};

/** Texts of the editor. */
export const editor = {
  newTitle: "New article",
  title: "Edit article",
  loading: "Loading the draft…",
  failed: "The draft could not be loaded",
  form: "The article",
  labels: {
    stock: "Stock",
    headline: "Headline",
    preview: "Preview",
    body: "Text",
    publisherName: "Byline",
    priceUsdg: "Price in USDG",
  } satisfies Readonly<Record<FieldName, string>>,
  hints: {
    stock: "The tokenized stock that the article is about.",
    headline: "Say what the reader will learn. The text must support the headline.",
    preview:
      "The preview is free for everybody. Say which question the text answers; do not repeat its first lines.",
    body: "Give a link to the source of each figure.",
    publisherName: "Your name as readers see it, beside your wallet’s address.",
    priceUsdg: `For example 2.5. From ${priceRange}, with at most six decimals.`,
  } satisfies Readonly<Record<FieldName, string>>,
  chooseStock: "Choose a stock",
  stockOption: (symbol: string, name: string) => `${symbol} · ${name}`,
  stocksFailed: "The stocks could not be loaded.",
  fault: (message: string) => `It ${message}.`,
  characters: (used: number, most: number) => `${formatNumber(used)} of ${formatNumber(most)} characters`,
  charactersShort: (used: number, least: number) =>
    `${formatNumber(used)} of at least ${formatNumber(least)} characters`,
  words: (used: number) => formatCount(used, "word", "words"),
  wordsShort: (used: number, least: number) =>
    `${formatNumber(used)} of at least ${formatNumber(least)} words`,
  minutes: (minutes: number) => `${minutes} min read`,
  size: (bytes: number, most: number) =>
    `${formatNumber(Math.ceil(bytes / 1024))} of ${formatNumber(most / 1024)} kB`,
  split: "Per read",
  splitYou: "You get",
  splitFee: `Platform fee, ${feePercent}%`,
  splitNone: "Enter a price to see your share.",
  view: "Text",
  article: "Article",
  source: "Markdown",
  preview: "Preview",
  emptyPreview: "There is nothing to preview yet.",
  onlySource: (why: string) => `This text is shown as Markdown only. An article ${why}.`,
  editorFailed: "The visual editor could not be loaded. You can continue in Markdown.",
  whole: "Preview the article",
  wholeTitle: "As readers will see it",
  wholeLead: "The article before and after a reader has paid.",
  locked: "Locked",
  unlockedView: "Unlocked",
  formatting: "Format the text",
  tableTools: "Change the table",
  formats: {
    bold: "Bold",
    italic: "Italic",
    heading: "Heading",
    subheading: "Smaller heading",
    link: "Link",
    quote: "Quote",
    bullets: "List",
    numbers: "Numbered list",
    table: "Table",
    footnote: "Footnote",
    rule: "Dividing line",
  } satisfies Readonly<Record<Format, string>>,
  tableFormats: {
    addRow: "Add a row",
    addColumn: "Add a column",
    deleteRow: "Delete row",
    deleteColumn: "Delete column",
    deleteTable: "Delete table",
  } satisfies Readonly<Record<TableFormat, string>>,
  undo: "Undo",
  redo: "Redo",
  linkAddress: "Address",
  linkSet: "Set the link",
  linkRemove: "Remove the link",
  shortcut: (key: string) => `Ctrl or ⌘ + ${key}`,
  leftOut: ({ pictures, tracked, lost }: PasteLosses) => [
    ...(pictures > 0
      ? [
          `${formatCount(pictures, "picture was", "pictures were")} not added. An article cannot have pictures. Use a table, or link to the picture.`,
        ]
      : []),
    ...(tracked > 0 ? [`Tracking was removed from ${formatCount(tracked, "link", "links")}.`] : []),
    ...(lost === undefined
      ? []
      : [`The copied content is longer or more deeply nested than an article may be. ${lostWords[lost]}`]),
  ],
  pictureLink: "An article cannot have pictures. Readers see a link here.",
  state: {
    empty: "Nothing written yet",
    saving: "Saving…",
    saved: (when: string) => `Saved ${when}`,
    unsaved: "Not saved yet",
    kept: (when: string) => `Unfinished draft stored ${when}`,
    waiting: "Not saved. Trying again…",
    refused: "Not saved",
    conflict: "Saved elsewhere",
  },
  keptWhy: (fields: readonly string[]) => `Finish these fields before an audit: ${fields.join(", ")}.`,
  notKept:
    "This browser keeps no data for this site. Do not close this page before the text is saved. Allow storage, or leave private mode.",
  waitingTitle: "Not saved yet",
  keptHere: "Your text is kept in this browser.",
  waiting: "The text is saved as soon as the service answers.",
  fullTitle: "Kept in this browser only",
  full: `You have ${mostManuscripts} unfinished texts, which is the limit. Finish or discard another text, and then this text is stored too.`,
  refusedTitle: "The draft was not saved",
  draftLimitTitle: "No more new drafts today",
  draftLimit: (hours: string) =>
    `The limit is ${draftsPerDay} new drafts a day. You can save this draft ${hours} from now.`,
  hours: (seconds: number) =>
    seconds > 5_400
      ? formatCount(Math.round(seconds / 3600), "hour", "hours")
      : formatCount(Math.max(1, Math.round(seconds / 60)), "minute", "minutes"),
  signedOut: "You are signed out, so this text is not saved.",
  signInToSave: (wallet: string) => `To save the text, sign in with the wallet ${wallet}.`,
  otherSession: "This text belongs to a wallet other than the one that is signed in.",
  conflictTitle: "This draft was saved elsewhere",
  conflict:
    "The draft was saved in another tab or browser. Nothing was overwritten. Choose which text to keep.",
  theirs: "The other one",
  mine: "This one",
  savedAt: "Saved",
  changedAt: "Last changed",
  differs: "Differs in",
  same: "nothing that readers see",
  keepMine: "Keep mine",
  keepMineHint:
    "This text replaces the text that was saved elsewhere. The replaced text stays in this browser.",
  takeTheirs: "Take theirs",
  takeTheirsHint: "Shows the text that was saved elsewhere. What you wrote here stays in this browser.",
  asideTitle: "Another version of the text is kept",
  aside: (headline: string, size: string) =>
    `There are two versions. The other version is in this browser: ${headline === "" ? "no headline yet" : `“${headline}”`}, ${size}.`,
  asideTake: "Exchange the two texts",
  asideDrop: "Drop it",
  approvedTitle: "Approved, and ready to mint",
  approved: "The text is locked, because any change undoes the approval.",
  unlock: "Edit it again",
  unlockWarning: (left: string) => `A change undoes the approval and needs a new audit (${left}).`,
  unlockedTitle: "You are editing an approved article",
  unlocked: (left: string) => `Once a change is saved, the article needs a new audit (${left}).`,
  mint: "Mint it",
  auditLocked: "The text cannot be changed during the audit.",
  generationStock: (stock: string) =>
    `The AI draft was about ${stock}. The sources of the AI draft count in the audit only if the article is also about ${stock}.`,
  disclosureTitle: (symbol: string) => `Your wallet holds ${symbol} tokens`,
  disclosure: "The audit asks an author who holds the stock to say so in the text.",
  disclosureLine: (symbol: string) => `Disclosure: the author holds ${symbol} tokens.`,
  disclosureAdd: "Add the disclosure",
  disclosureDone: "The text discloses your holding.",
} as const;

/** Texts of the AI help in the editor. */
export const assist = {
  title: "AI draft",
  lead: "Choose an angle to get a draft with its sources. Check the draft, then change it as you like.",
  label: "An article that starts from an AI draft is labelled AI-assisted.",
  needsStock: "Choose a stock first.",
  find: (stock: string) => `Find angles for ${stock}`,
  finding: "Looking for news and prices…",
  again: "Look again",
  angles: "Angles",
  noNews: `No news in the last ${freshHours} hours.`,
  kinds: { headline: "News", price: "Price", fundamentals: "Fundamentals" },
  remaining: (left: number) => `${formatCount(left, "AI draft", "AI drafts")} left today`,
  generate: "Write a draft",
  generating: "Writing a draft… This can take half a minute.",
  replaceTitle: "Replace what you have written?",
  replaceLead: "The draft replaces your headline, preview and text. You can undo this.",
  replace: "Write the draft",
  done: "The draft is in the editor.",
  undo: "Put my text back",
  sources: "Written from",
  failedAngles: "No angles could be found",
  failedDraft: "No draft was written",
  notCounted: "This attempt does not count.",
  noneLeft: "You have used today’s AI drafts.",
  resets: (hours: string) => `More in ${hours}.`,
  onSource: " (opens in a new tab)",
} as const;

const parts: Readonly<Record<TextPart, string>> = { headline: "Headline", preview: "Preview", body: "Text" };

/** Texts of the audit beside the editor. */
export const audit = {
  title: "Audit",
  lead: "Rules and a language model check your text. Only an approved text can be minted.",
  run: "Run the audit",
  again: "Audit again",
  left: (left: number) => `${left} of ${auditLimit} audits left`,
  leftShort: (left: number) => `${formatCount(left, "audit", "audits")} left`,
  none: `This article has used its ${auditLimit} audits.`,
  noneLead: `Copy the text to a new article to get ${auditLimit} more audits.`,
  copy: "Copy the text to a new article",
  faults: (fields: readonly string[]) => `Not ready for an audit: ${fields.join(", ")}.`,
  unsaved: "The text could not be saved, so it was not audited.",
  generating:
    "An AI draft that will replace the text is being written. No audit was counted. Run the audit when the AI draft is in the editor.",
  running: "The audit is running…",
  runningLead: "This takes a few seconds, at most half a minute.",
  seconds: (seconds: number) => `${seconds} s`,
  unavailableTitle: "The audit is not available",
  unavailable: "Your draft is saved, and this run does not count.",
  failedTitle: "The audit did not run",
  elsewhere: "This article is already being audited. The result appears here.",
  gone: "The words that this finding quotes are not in the text any more.",
  findings: (number: number) => (number === 0 ? "To the audit" : formatCount(number, "finding", "findings")),
  outdated: "The text has changed since this audit.",
  issues: "What to change",
  show: (part: TextPart) => `Show in ${parts[part].toLowerCase()}`,
  goTo: (part: TextPart) => `Go to ${parts[part].toLowerCase()}`,
  whole: "The text as a whole",
  fixes: { disclose: "Add the disclosure", remove: "Remove the sentence" },
  holding: (stock: string) => `Your wallet held ${stock} tokens.`,
  holdingNone: (stock: string) => `Your wallet held no ${stock} tokens.`,
  quote: (price: string) => `Quote: ${price}`,
  dispute: "Dispute",
  disputeLabel: "Why this finding is wrong",
  disputeHint:
    "One sentence. Readers see your answer beside the finding. Verdict and score stay as they are.",
  saveDispute: "Save",
  changeDispute: "Change the answer",
  endDispute: "Withdraw it",
  by: (engine: string) => `By ${engine}`,
} as const;
