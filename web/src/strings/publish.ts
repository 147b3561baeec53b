import { auditLimit } from "../../../core/audit/schema.ts";
import { freshHours } from "../../../core/draft/schema.ts";
import { mostManuscripts } from "../../../core/manuscript/schema.ts";
import {
  type DashboardPress,
  draftsPerDay,
  feePercent,
  priceRange,
  type Wait,
} from "../../../core/press/schema.ts";
import { count } from "../format.ts";
import type { Format, TableFormat } from "../publish/article/formats.ts";
import type { Pasted } from "../publish/article/paste.ts";
import type { Part } from "../publish/audit/place.ts";
import type { FieldName } from "../publish/editor/text.ts";
import type { MintProblemCode } from "../publish/mint/machine.ts";

type Status = DashboardPress["status"];

/** Texts that the publisher's pages share, and those of the dashboard. */
export const publish = {
  title: "Your articles",
  lead: "What you have written, and what it has earned.",
  earnTitle: "What you earn",
  earn: [
    `You set a price from ${priceRange} USDG, and get ${100 - feePercent}% of it from each reader.`,
    "Each payment goes straight to your wallet. There is no balance and no payout to wait for.",
    "Writing, AI drafts and audits are free. You pay gas once, for the transaction that makes an article live.",
  ],
  signInLead: "Your drafts are shown to nobody else. Sales are public on the chain.",
  signInAgain: "This session began with a payment and can only read. Sign in with your wallet to publish.",
  loading: "Loading your articles…",
  failed: "Your articles could not be loaded",
  write: "Write an article",
  earned: "Earned",
  live: "Live articles",
  reads: "Paid reads",
  emptyTitle: "Write your first article",
  empty: `An article is short and about one tokenized stock. You write it, an audit checks it, you mint it, and readers pay for it. ${100 - feePercent}% of each price goes straight to your wallet.`,
  emptySteps: [
    "Write it yourself, or start from an AI draft.",
    "Run the audit. It tells you what to change.",
    "Mint its identity from your wallet, and it is live.",
  ],
  belowGas: (carrying: string) =>
    `A price below ${carrying} USDG does not pay for the gas of a read, as gas costs now. Such an article may stop selling for the rest of a day.`,
  priceToday: (carrying: string, least: string) =>
    `Today a price of ${carrying} USDG pays for the gas of a read. The lowest price that is accepted is ${least} USDG.`,
  waits: {
    audit: "Waits for an audit. Saved",
    "audit-running": "Is being audited. Begun",
    revision: "Waits for your revision. Audited",
    mint: "Waits to be minted. Audited",
    confirmation: "Minted, and not confirmed yet. Reported",
  } satisfies Readonly<Record<Wait["for"], string>>,
  presses: "Articles",
  payments: "Payments",
  inWallet:
    "Readers pay your wallet directly, as long as it holds the article’s identity. There is nothing to withdraw.",
  noPayments: "No payment yet. Each unlock of an article is listed here with its transaction.",
  chart: (unlocks: number, earned: string, days: number) =>
    `${count(unlocks, "unlock", "unlocks")} in the last ${days} days, ${earned} USDG`,
  chartTitle: (days: number) => `Earned in the last ${days} days`,
  chartUnlocks: (unlocks: number) => count(unlocks, "unlock", "unlocks"),
  paidBy: "Paid by",
  paidTo: "Paid to",
  transaction: "Transaction",
  unsavedTitle: "Unfinished",
  unsaved:
    "These texts do not meet their limits yet. They are stored for your wallet, on all of your devices.",
  onlyHere: "In this browser only",
  unfinishedChanges: "Has unfinished changes",
  untitled: "No headline yet",
  changed: (when: string) => `Changed ${when}`,
  continueWriting: "Continue writing",
  discard: "Discard",
  discardTitle: "Discard this text?",
  discardLead: "It is deleted from all of your devices. You cannot undo this.",
  about: (headline: string) => `: ${headline}`,
  status: {
    draft: "Draft",
    revise: "Needs revision",
    rejected: "Rejected",
    approved: "Approved",
    live: "Live",
  } satisfies Readonly<Record<Status, string>>,
  next: {
    draft: "Continue to the audit",
    revise: "Revise it",
    rejected: "Rewrite it",
    approved: "Mint it",
    live: "View and share",
  } satisfies Readonly<Record<Status, string>>,
  edit: "Edit",
  price: "Price",
  score: "Audit",
  noScore: "Not audited",
  votes: (up: number, down: number) => `${up} up, ${down} down`,
  saved: (when: string) => `Saved ${when}`,
  published: (when: string) => `Live since ${when}`,
  ai: "AI-assisted",
  missingTitle: "You have no such article",
  missing: "It may belong to a wallet other than the one you are signed in with.",
  toDashboard: "Your articles",
} as const;

const number = (value: number) => value.toLocaleString("en-US");

type LeftOut = Omit<Pasted, "blocks">;

const lostWords: Readonly<Record<NonNullable<LeftOut["lost"]>, string>> = {
  formatting: "It was added as plain text, without its formatting.",
  everything: "Nothing was added. Copy a smaller part of it.",
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
    headline: "Say what the reader will learn. The text must support it.",
    preview: "Free for everybody. Say what the text answers; do not repeat its first lines.",
    body: "Link to the source of each figure.",
    publisherName: "Your name as readers see it, beside your wallet’s address.",
    priceUsdg: `Such as 2.5. From ${priceRange}, with at most six decimals.`,
  } satisfies Readonly<Record<FieldName, string>>,
  chooseStock: "Choose a stock",
  stockOption: (symbol: string, name: string) => `${symbol} · ${name}`,
  stocksFailed: "The stocks could not be loaded.",
  fault: (message: string) => `It ${message}.`,
  characters: (used: number, most: number) => `${number(used)} of ${number(most)} characters`,
  charactersShort: (used: number, least: number) => `${number(used)} of at least ${number(least)} characters`,
  words: (used: number) => count(used, "word", "words"),
  wordsShort: (used: number, least: number) => `${number(used)} of at least ${number(least)} words`,
  minutes: (minutes: number) => `${minutes} min read`,
  size: (bytes: number, most: number) => `${number(Math.ceil(bytes / 1024))} of ${number(most / 1024)} kB`,
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
  editorFailed: "The visible editor could not be loaded. You can go on in Markdown.",
  whole: "Preview the article",
  wholeTitle: "As readers will see it",
  wholeLead: "Before they have paid, and after.",
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
  leftOut: ({ pictures, tracked, lost }: LeftOut) => [
    ...(pictures > 0
      ? [
          `${count(pictures, "picture was", "pictures were")} not added. An article cannot have pictures. Use a table, or link to the picture.`,
        ]
      : []),
    ...(tracked > 0 ? [`Tracking was removed from ${count(tracked, "link", "links")}.`] : []),
    ...(lost === undefined
      ? []
      : [`What you copied is larger or deeper than an article may be. ${lostWords[lost]}`]),
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
  keptWhy: (fields: readonly string[]) => `Still to finish before an audit: ${fields.join(", ")}.`,
  notKept:
    "This browser keeps no data for this site. Do not close this page before the text is saved. Allow storage, or leave private mode.",
  waitingTitle: "Not saved yet",
  waiting: "Your text is kept in this browser. It is saved as soon as the service answers.",
  fullTitle: "Kept in this browser only",
  full: `You have ${mostManuscripts} unfinished texts, which is the limit. Finish or discard one, and this one is stored too.`,
  refusedTitle: "The draft was not saved",
  refused: "Your text is kept in this browser.",
  draftLimitTitle: "No more new drafts today",
  draftLimit: (hours: string) =>
    `The limit is ${draftsPerDay} new drafts a day. Your text is kept in this browser. You can save it in ${hours}.`,
  hours: (seconds: number) =>
    seconds > 5_400
      ? count(Math.round(seconds / 3600), "hour", "hours")
      : count(Math.max(1, Math.round(seconds / 60)), "minute", "minutes"),
  otherSession: "This text belongs to a wallet other than the one that is signed in.",
  conflictTitle: "This draft was saved elsewhere",
  conflict: "It was saved in another tab or browser. Nothing was overwritten. Choose which text to keep.",
  theirs: "The other one",
  mine: "This one",
  savedAt: "Saved",
  changedAt: "Last changed",
  differs: "Differs in",
  same: "nothing that readers see",
  keepMine: "Keep mine",
  keepMineHint: "Saves this text over the other one, which stays in this browser.",
  takeTheirs: "Take theirs",
  takeTheirsHint: "Shows the other text. What you wrote here stays in this browser.",
  asideTitle: "The other text is kept",
  aside: (headline: string, size: string) =>
    `Two versions met. The one that you did not choose is in this browser: ${headline === "" ? "no headline yet" : `“${headline}”`}, ${size}.`,
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
    `The AI draft was about ${stock}. Its sources count in the audit only if the article is about ${stock} too.`,
  disclosureTitle: (symbol: string) => `Your wallet holds ${symbol} tokens`,
  disclosure: "The audit asks an author who holds the stock to say so in the text.",
  disclosureLine: (symbol: string) => `Disclosure: the author holds ${symbol} tokens.`,
  disclosureAdd: "Add the disclosure",
  disclosureDone: "The text discloses your holding.",
} as const;

/** Texts of the AI help in the editor. */
export const assist = {
  title: "AI draft",
  lead: "Choose an angle to get a draft with its sources. Check it, then make it your own.",
  label: "An article that starts from an AI draft is labelled AI-assisted.",
  needsStock: "Choose a stock first.",
  find: (stock: string) => `Find angles for ${stock}`,
  finding: "Looking for news and prices…",
  again: "Look again",
  angles: "Angles",
  noNews: `No news in the last ${freshHours} hours.`,
  kinds: { headline: "News", price: "Price", fundamentals: "Fundamentals" },
  remaining: (left: number) => `${count(left, "AI draft", "AI drafts")} left today`,
  generate: "Write a draft",
  generateOn: (title: string) => `: ${title}`,
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

const parts: Readonly<Record<Part, string>> = { headline: "Headline", preview: "Preview", body: "Text" };

/** Texts of the audit beside the editor. */
export const audit = {
  title: "Audit",
  lead: "Rules and a language model check your text. Only an approved text can be minted.",
  run: "Run the audit",
  again: "Audit again",
  left: (left: number) => `${left} of ${auditLimit} audits left`,
  leftShort: (left: number) => `${count(left, "audit", "audits")} left`,
  none: `This article has used its ${auditLimit} audits.`,
  noneLead: `Copy the text to a new article to get ${auditLimit} more.`,
  copy: "Copy it to a new article",
  faults: (fields: readonly string[]) => `Not ready for an audit: ${fields.join(", ")}.`,
  unsaved: "The text could not be saved, so it was not audited.",
  running: "The audit is running…",
  runningLead: "This takes a few seconds, at most half a minute.",
  seconds: (seconds: number) => `${seconds} s`,
  unavailableTitle: "The audit is not available",
  unavailable: "Your draft is saved, and this run does not count.",
  failedTitle: "The audit did not run",
  elsewhere: "This article is already being audited. The result appears here.",
  verdicts: { approve: "Approved", revise: "Needs revision", reject: "Rejected" },
  gone: "The words that it quotes are not in the text any more.",
  findings: (number: number) => (number === 0 ? "To the audit" : count(number, "finding", "findings")),
  outdated: "The text has changed since this audit.",
  issues: "What to change",
  noIssues: "No issues found.",
  show: (part: Part) => `Show in ${parts[part].toLowerCase()}`,
  goTo: (part: Part) => `Go to ${parts[part].toLowerCase()}`,
  whole: "The text as a whole",
  fixes: { disclose: "Add the disclosure", remove: "Remove the sentence" },
  holding: (stock: string) => `Your wallet held ${stock} tokens.`,
  holdingNone: (stock: string) => `Your wallet held no ${stock} tokens.`,
  quote: (price: string) => `Quote: ${price}`,
  dispute: "Dispute",
  disputeLabel: "Why this finding is wrong",
  disputeHint: "One sentence. Readers see it beside the finding. Verdict and score stay as they are.",
  saveDispute: "Save",
  leaveDispute: "Cancel",
  changeDispute: "Change the answer",
  endDispute: "Withdraw it",
  by: (engine: string) => `By ${engine}`,
} as const;

type Words = { readonly title: string; readonly text: string; readonly action: string };

/** Texts of minting. */
export const mint = {
  title: "Mint",
  heading: "Make it live",
  lead: "Your wallet sends one transaction, which registers the article’s identity onchain. Readers pay the wallet that holds the identity, which is yours.",
  loading: "Loading the article…",
  failed: "The article could not be loaded",
  notApprovedTitle: "This article is not approved",
  notApproved: "Only an approved text can be minted. Run the audit first.",
  toEditor: "To the editor",
  termsTitle: "Before you mint",
  final: "The text is final. Later you can add corrections, change the price, and take the article off sale.",
  carries: (carrying: string) =>
    `From ${carrying} USDG on, the platform’s ${feePercent}% pays for the gas of a read, as gas costs now.`,
  below: (price: string, carrying: string) =>
    `At ${price} USDG the platform’s ${feePercent}% does not pay for the gas of a read now: that takes ${carrying} USDG. After a few reads a day, nobody can buy the article before tomorrow. Set a higher price first, or mint all the same.`,
  noFee: "The platform charges nothing for the mint. Your wallet pays the gas in ETH.",
  gas: (most: string, has: string) =>
    `Gas costs at most about ${most} ETH at the moment, and your wallet has ${has} ETH.`,
  gasShown: "Your wallet shows the exact amount before you sign.",
  lacksGas: (missing: string, chain: string) =>
    `Your wallet lacks about ${missing} ETH for that. Send it to this address, on ${chain}:`,
  steps: "Steps to the live article",
  start: "Mint it",
  names: {
    wallet: "Connect your wallet",
    network: "Switch to the right network",
    register: "Register the identity",
    confirm: "Confirm the mint",
    live: "Live",
  },
  explain: {
    wallet: (address: string) => `Use the wallet that you are signed in with: ${address}.`,
    network: (chain: string) => `Your wallet switches to ${chain}, or adds it.`,
    register: "Your wallet sends one transaction, which links the identity to this article:",
    confirm: "We look for the transaction on the chain. You can close this page and return later.",
    live: "Readers find it in the list. You can share its page.",
  },
  states: { waiting: "Next", current: "Your turn", busy: "In progress", done: "Done", failed: "Stopped" },
  asking: "Confirm in your wallet…",
  confirming: "Waiting for the chain…",
  slow: "The chain has not confirmed the transaction yet. Check whether it is still waiting in your wallet.",
  again: "Send another transaction",
  otherWallet: (address: string) =>
    `The connected wallet is ${address}. Connect the one that you are signed in with.`,
  notKept:
    "This browser keeps no data for this site. Leave this page open until the article is live, or note the transaction.",
  transaction: "Transaction",
  haveOne: "Minted it already?",
  haveOneLead:
    "If you minted it in another browser or wallet app, enter the transaction’s hash to confirm it here.",
  hash: "Transaction hash",
  badHash: "A transaction hash is 0x followed by 64 digits or letters a to f.",
  confirmIt: "Confirm it",
  problems: {
    rejected: {
      title: "You declined in your wallet",
      text: "Nothing was sent. You can continue at any time.",
      action: "Ask again",
    },
    busy: {
      title: "Your wallet is busy",
      text: "It has another request open. Answer it in the wallet, then continue here.",
      action: "Continue",
    },
    gone: {
      title: "The wallet is no longer connected",
      text: "Nothing was sent. Connect it again to continue.",
      action: "Connect again",
    },
    walletFailed: {
      title: "The wallet could not send the transaction",
      text: "The wallet reported that nothing was sent.",
      action: "Try again",
    },
    ether: {
      title: "Your wallet has too little ETH",
      text: "The mint is a transaction, and the network takes a fee for it.",
      action: "Try again",
    },
    passkey: {
      title: "Your purse did not send the transaction",
      text: "Nothing was sent. You can go on at any time.",
      action: "Ask again",
    },
    network: {
      title: "The wallet is on another network",
      text: "It did not switch. Change the network in your wallet, then check again.",
      action: "Check again",
    },
    notApproved: {
      title: "The article is no longer approved",
      text: "It was changed after its audit. Run the audit again. The same transaction can then make it live.",
      action: "Confirm again",
    },
    transactionFailed: {
      title: "The transaction failed on the chain",
      text: "Nothing was minted. Only gas was spent. Send another transaction.",
      action: "Mint again",
    },
    wrongSender: {
      title: "Another wallet sent the transaction",
      text: "Only the wallet that you are signed in with can mint this article. Mint it with that wallet.",
      action: "Mint again",
    },
    noIdentity: {
      title: "The transaction minted no identity",
      text: "It registered no identity for your wallet. Mint the article here.",
      action: "Mint again",
    },
    wrongUri: {
      title: "The identity points elsewhere",
      text: "It does not link to this article. Mint another one. Or set its address with setAgentURI in the registry, and enter that transaction below.",
      action: "Mint again",
    },
    used: {
      title: "This transaction made another article live",
      text: "Each article needs its own transaction. Mint this one too.",
      action: "Mint again",
    },
    notFound: {
      title: "The chain has not seen this transaction",
      text: "We looked for it for two minutes. Your wallet may not have sent it, or has replaced it. Confirm it again, or send another one.",
      action: "Confirm again",
    },
    timedOut: {
      title: "The mint could not be checked",
      text: "The chain did not answer for half an hour. The transaction is kept. Confirm it again.",
      action: "Confirm again",
    },
    unavailable: {
      title: "The service does not answer",
      text: "The transaction is kept in this browser. Confirm it again in a moment.",
      action: "Confirm again",
    },
    signIn: {
      title: "Sign in to confirm",
      text: "Your session has ended. The transaction is kept in this browser.",
      action: "Confirm again",
    },
    refused: {
      title: "The service refused the mint",
      text: "The reason is below. The transaction is kept.",
      action: "Confirm again",
    },
  } satisfies Readonly<Record<MintProblemCode, Words>>,
} as const;

/** Texts of a publisher's own live press. */
export const live = {
  loading: "Loading the article…",
  failed: "The article could not be loaded",
  fresh: "It is live",
  freshLead: "Readers can find and unlock it now. Share it:",
  open: "See it as readers do",
  earnings: "Earnings",
  earned: "Earned",
  reads: "Paid reads",
  perRead: "Your share per read",
  price: "Price",
  votes: "Votes",
  share: "Share",
  link: "Address",
  native: "Share…",
  text: "Text",
  final:
    "You can no longer edit the text of a live article. You can add corrections, change the price, and take it off sale.",
  changes: "After publication",
  note: "Correction",
  noteHint: "Readers see it with its date above the text, and in feeds. You cannot change it later.",
  addNote: "Add the correction",
  newPrice: "New price in USDG",
  priceHint: "Readers who have paid the fee pay the rest of the old price.",
  samePrice: "This is the price already.",
  priceSince: "Price since",
  setPrice: "Change the price",
  unlist: "Take it off sale",
  unlistHint: "It leaves all lists, and nobody new can unlock it. Readers who have unlocked it keep it.",
  list: "Put it on sale again",
  listHint: "It comes back to all lists, and readers can unlock it again.",
  /** The service's reason. One that is about a field begins with the field's name. */
  refusal: (message: string) =>
    message
      .replace(/^(?:text|priceUsdg|link): (?=[a-z])/, "It ")
      .replace(/^(?:text|link): /, "")
      .replace(/\w$/, "$&."),
  offSale: "Off sale",
  changed: "Changed. Readers see it within a minute.",
  about: "About this article",
  verdictWaiting: "Posted within about a minute…",
  identity: "Identity",
  registration: "Registration file",
  json: "JSON",
  report: "Audit report",
} as const;
