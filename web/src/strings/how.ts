/** Words of the page about the audit. */
export const how = {
  title: "How the audit works",
  lead: "Every press is audited before it can be sold. This page says what is checked, who checks it, and how often it is wrong.",
  steps: "What happens",
  stepsList: [
    "Facts are gathered: the stock’s quote, the publisher’s balance of its token, live presses about the stock, and the sources of an AI draft.",
    "Rules check what can be computed: arithmetic, prices, dates, copies, hidden text, wordings of promises, advice and promotion. The same text always gets the same findings.",
    "A language model reads the text. It lists claims with what bears them out, what headline and preview promise, and passages with a fault. Each must quote the text word for word; what it misquotes is left out and counted.",
    "The verdict follows from the findings alone. The model gives neither a score nor a verdict, so a text that talks to it gains nothing.",
  ],
  verdicts: "How findings become a verdict",
  verdictsList: [
    "A score begins at 100. A low finding takes 2 points, a medium one 8, a high one 20.",
    "A critical finding rejects the press. A high one asks for a revision, and keeps the score below 70.",
    "From 70 on, without a high finding, a press is approved. Below 40 it is rejected.",
  ],
  limits: "What it cannot do",
  limitsList: [
    "It opens no links: it sees that a source is named, and not what the source says.",
    "It knows no prices of other days, and no wallets but the one that publishes.",
    "It cannot tell whether an event happened, whether a person said something, or whether an allegation is true.",
    "An approval is no endorsement, and nothing published is investment advice.",
  ],
  disputes: "Disputed findings",
  disputesLead:
    "A publisher may answer a finding in one sentence. The answer stands beside the finding for every reader and changes neither verdict nor score. Once the press is live it is final, for the hash of the report stands on the chain.",
  measured: "How often it is wrong",
  measuredLead: (faulty: number, clean: number) =>
    `Measured on ${faulty + clean} drafts that the rules were not made with: ${clean} that an editor would publish, and ${faulty} with one fault planted in each, most of them hard to see. These figures are of the rules alone, without a model.`,
  stopped: "Faulty drafts stopped",
  falseStops: "Clean drafts stopped",
  precision: "Of stopped drafts, with a fault",
  recall: "Of faulty drafts, stopped",
  flips: "Verdicts that changed when audited again",
  kind: "Kind of fault",
  drafts: "Drafts",
  found: "Stopped",
  of: (part: number, whole: number) => `${part} of ${whole}`,
  noModel:
    "What the language model adds has not been measured yet. Kinds that need reading, such as advice in other words, are its task.",
  model: (name: string, precision: string, recall: string) =>
    `With ${name}: ${precision} of stopped drafts had a fault, and ${recall} of faulty drafts were stopped.`,
} as const;
