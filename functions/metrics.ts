/** A metric: a counted or measured value. */
export type Metric = {
  /** The unit that CloudWatch shows. The default is `Count`. */
  readonly unit?: "Milliseconds" | "Seconds" | "None";
  /** The metric's dimensions. Each dimension has only a few different values. The total over all values of a dimension is written too. */
  readonly dimensions: readonly string[];
  readonly meaning: string;
};

/** The CloudWatch namespace of all metrics. The metrics of different stages differ in the dimension `service`, which Powertools adds. */
export const namespace = "PressMarket";

/**
 * THE table of metrics. Code, alarms and dashboard use exactly the metrics of this table, as a test checks. A wallet, a press or a request
 * is named only in the metrics' log lines, and never in a dimension.
 */
export const metrics = {
  SignIn: { dimensions: [], meaning: "A wallet has signed in." },
  DraftSaved: { dimensions: [], meaning: "A draft was made or changed." },
  AuditEnded: { dimensions: ["outcome"], meaning: "An audit ended with a verdict or with an outage." },
  AuditRefused: {
    dimensions: [],
    meaning:
      "A step of an audit refused the run, for example because the draft was edited. Lambda counts this as an error.",
  },
  GenerationEnded: {
    dimensions: ["outcome"],
    meaning: "The model wrote a draft, or the draft's quota was refunded.",
  },
  MintConfirmed: { dimensions: [], meaning: "A mint was confirmed." },
  MintRefused: { dimensions: ["code"], meaning: "A mint was refused." },
  WentLive: { dimensions: [], meaning: "A press went live." },
  VerdictPosted: {
    dimensions: ["outcome"],
    meaning: "The auditor's verdict was posted, or the registry refused it.",
  },
  VoteRecorded: { dimensions: [], meaning: "A vote was read from the chain." },
  PaymentRefused: { dimensions: ["code"], meaning: "A request to pay was answered with 402." },
  LegSettled: { dimensions: ["leg"], meaning: "A leg was settled, by us or by a stranger." },
  TextDelivered: {
    dimensions: [],
    meaning: "A payment was answered with the text, so the unlock reached its payer.",
  },
  SettlementFailed: {
    dimensions: ["code"],
    meaning: "A settlement ended without a payment; nothing was charged.",
  },
  GasBurned: {
    dimensions: ["wallet"],
    meaning:
      "Gas units that a failed settlement has cost us, for a wallet with code (`contract`) or without code.",
  },
  SettlementsUnderWay: {
    dimensions: [],
    meaning: "The number of settlements that have neither succeeded nor failed, at most a hundred.",
  },
  SettlementAge: {
    unit: "Seconds",
    dimensions: [],
    meaning: "Seconds since the state of the oldest pending settlement last changed.",
  },
  SettledNotDelivered: {
    dimensions: [],
    meaning: "Settlements whose money has moved on the chain, but which the reconciler has not finished.",
  },
  RelayersBusy: { dimensions: [], meaning: "A payment found no free relayer in time." },
  RelayerRunway: {
    dimensions: ["relayer"],
    meaning: "Settlements that a relayer can pay for at the current gas price.",
  },
  AuditorRunway: {
    dimensions: [],
    meaning: "Verdicts that the auditor can pay for at the current gas price.",
  },
  RpcTime: { unit: "Milliseconds", dimensions: ["host"], meaning: "The duration of a round trip to a node." },
  RpcErrors: {
    dimensions: ["host"],
    meaning: "1 for a round trip without an answer, 0 for one with an answer.",
  },
  RelayErrors: {
    dimensions: [],
    meaning: "1 for a round trip of the RPC relay without an answer, 0 for one with an answer.",
  },
  RelayedCalls: { dimensions: [], meaning: "Calls of clients that were relayed to the chain." },
  ModelErrors: { dimensions: ["task"], meaning: "A call of the model failed." },
  ModelTokens: { dimensions: ["task", "direction"], meaning: "Tokens that the model has read or written." },
  Misquotes: { dimensions: [], meaning: "Quotations in an audit that do not occur in the draft." },
  ModelCost: { unit: "None", dimensions: ["task"], meaning: "The cost of the tokens, in USD." },
  Defects: { dimensions: [], meaning: "A request was answered with 500." },
  Unavailable: { dimensions: ["code"], meaning: "A request was answered with 503." },
  Postponed: {
    dimensions: [],
    meaning:
      "A request was answered with 503 although nothing has failed: the caller must wait, or a budget is spent.",
  },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;
export type DimensionName<Name extends MetricName> = (typeof metrics)[Name]["dimensions"][number];
