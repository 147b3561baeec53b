import { auditScale } from "../../../core/press/schema.ts";
import { feeDays, halfLifeDays, leadFeesPerPress } from "../../../core/rank/schema.ts";
import { formatCount } from "../format.ts";

const { penalties, approve, revise } = auditScale;

/** Texts of the page about the audit. */
export const how = {
  title: "How the audit works",
  lead: "Every article is audited before it can be sold. Here is what is checked, who checks it, and how often the audit is wrong.",
  steps: "What happens",
  stepsList: [
    "The facts are gathered: the stock’s price, whether the author’s wallet holds its token, live articles about the same stock, and the sources of an AI draft.",
    "Rules check what can be computed: arithmetic, prices, dates, copied text, hidden text, and the wording of promises, advice and promotion. The same text always gets the same findings.",
    "A language model reads the text. The model lists claims and their support, the promises of the headline and the preview, and passages with a fault. Each finding must quote the text word for word. A finding that misquotes the text is left out; the audit states only how many were left out.",
    "The model also lists the text’s calculations: which figure follows from which others. Rules repeat each calculation, so no result depends on the model’s arithmetic.",
    "The findings alone decide the verdict. The model gives neither a score nor a verdict, so instructions in a text cannot raise its score.",
  ],
  verdicts: "From findings to a verdict",
  verdictsList: [
    `Every score begins at 100. A low finding costs ${penalties.low} points, a medium finding ${penalties.medium}, and a high finding ${penalties.high}.`,
    `A critical finding rejects the article. A high finding sends the article back for revision and keeps the score below ${approve}.`,
    `An article with a score of ${approve} or more and no high finding is approved. An article with a score below ${revise} is rejected.`,
  ],
  limits: "What the audit cannot do",
  limitsList: [
    "The audit opens no links. The audit sees that a source is named, but not what the source says.",
    "The audit knows only today’s prices, and looks for the stock’s token only in the author’s wallet.",
    "The audit cannot tell whether an event happened, whether a person said something, or whether an accusation is true.",
    "An approval is no endorsement, and nothing published here is investment advice.",
  ],
  disputes: "When an author disagrees",
  disputesLead:
    "An author can answer a finding in one sentence. Readers see the answer beside the finding; verdict and score stay as they are. Once the article is live, the answers are final too, because the hash of the report with its answers is on the chain.",
  measured: "How often the audit is wrong",
  measuredLead: (faulty: number, clean: number) =>
    `We tested the rules on ${faulty + clean} drafts. The authors of the rules had not read these drafts, and tested the finished rules on them once. An editor would publish ${clean} of these drafts. The other ${faulty} drafts have one fault each, and most faults are hard to see. These numbers are for the rules alone, without the language model.`,
  stopped: "Faulty drafts that were stopped",
  falseStops: "Good drafts that were stopped",
  precision: "Stopped drafts that had a fault",
  flips: "Verdicts that changed in a second audit",
  kinds: "Faults that were found, by kind",
  kind: "Kind of fault",
  drafts: "Drafts",
  found: "Stopped",
  of: (part: number, whole: number) => `${part} of ${whole}`,
  noModel:
    "The language model looks for faults that rules cannot find, such as advice in words that the rules do not know. We have not measured the model yet.",
  model: (name: string, precision: string, recall: string) =>
    `With ${name}, ${precision} of the drafts that were stopped had a fault, and ${recall} of the faulty drafts were stopped.`,
} as const;

/** Texts of the page that shows an audit's report. */
export const report = {
  title: "Audit report",
  loading: "Loading the report…",
  failed: "The report could not be loaded",
  result: "Result",
  findings: "What the audit found",
  facts: "What the audit knew",
  price: (stock: string) => `Price of ${stock}`,
  holding: (stock: string) => `${stock} tokens of the author’s wallet`,
  held: "Held",
  heldNone: "None",
  checks: "What was checked",
  proof: "Proof",
  proofLead:
    "The report cannot change. The auditor’s verdict onchain contains the report’s hash, so anyone can check the report.",
  posted: "Verdict onchain",
  file: "For programs",
  json: "Report as JSON",
} as const;

const formatDollars = (usdg: number) =>
  usdg.toLocaleString("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** Texts of the page about the front page's order. */
export const ranking = {
  title: "How articles are ranked",
  lead: "Readers who have paid decide which article is the lead story, and which are most read and best rated. Here is the rule, and what it would cost to buy the lead story’s place.",
  counts: "What counts",
  countsList: [
    "Only two things count: paid reads, and votes of wallets that have unlocked an article. The author’s own reads and votes do not count. Votes of other wallets are shown on the article’s page only, as “Other wallets”.",
    `A vote weighs as much as the fees that the voter’s wallet has paid to the platform in the ${feeDays} days before the vote. The same money in many wallets therefore counts no more than in one wallet. If a reader does not vote, the fee that the reader paid for the article counts.`,
    `An article loses half of its rank every ${halfLifeDays} days.`,
    `The lead story needs at least ${formatDollars(leadFeesPerPress)} USDG of fees for each article on the list. A place among the most read or the best rated articles needs a tenth of the fees that the lead story needs. If no article has enough fees, there is no lead story, and the newest articles come first.`,
    "Nobody can pay us for a place, and no person chooses the articles.",
  ],
  cost: "What buying the lead story’s place would cost",
  costLead: (fees: number) =>
    `Fees go to the platform, and nobody gets them back. With 50 articles on the list, the lead story’s place costs at least ${formatDollars(fees)} USDG of fees, even if nobody else reads.`,
  costNow: (presses: number, fees: number) =>
    `Right now, with ${formatCount(presses, "article", "articles")} on the list, the lead story’s place would cost at least ${formatDollars(fees)} USDG of fees.`,
} as const;
