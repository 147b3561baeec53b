/** A metric: a counted or measured value. */
export type Metric = {
  readonly unit: "Count" | "Milliseconds" | "Seconds" | "None";
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
  SignIn: { unit: "Count", dimensions: [], meaning: "A wallet has signed in." },
  DraftSaved: { unit: "Count", dimensions: [], meaning: "A draft was made or changed." },
  AuditEnded: {
    unit: "Count",
    dimensions: ["outcome"],
    meaning: "An audit ended with a verdict or with an outage.",
  },
  GenerationEnded: {
    unit: "Count",
    dimensions: ["outcome"],
    meaning: "The model wrote a draft, or the draft's quota was refunded.",
  },
  MintConfirmed: { unit: "Count", dimensions: [], meaning: "A mint was confirmed." },
  MintRefused: { unit: "Count", dimensions: ["code"], meaning: "A mint was refused." },
  WentLive: { unit: "Count", dimensions: [], meaning: "A press went live." },
  VerdictPosted: {
    unit: "Count",
    dimensions: ["outcome"],
    meaning: "The auditor's verdict was posted, or the registry refused it.",
  },
  VoteRecorded: { unit: "Count", dimensions: [], meaning: "A vote was read from the chain." },
  PaymentRefused: { unit: "Count", dimensions: ["code"], meaning: "A request to pay was answered 402." },
  LegSettled: {
    unit: "Count",
    dimensions: ["leg"],
    meaning: "A leg was settled, by us or by a stranger.",
  },
  TextDelivered: {
    unit: "Count",
    dimensions: [],
    meaning: "A payment was answered with the text, so the unlock reached its payer.",
  },
  SettlementFailed: {
    unit: "Count",
    dimensions: ["code"],
    meaning: "A settlement ended without a payment; nothing was charged.",
  },
  GasBurned: {
    unit: "Count",
    dimensions: ["wallet"],
    meaning:
      "Gas units that a failed settlement has cost us, for a wallet with code (`contract`) or without code.",
  },
  SettlementsUnderWay: {
    unit: "Count",
    dimensions: [],
    meaning: "The number of settlements that have neither succeeded nor failed, at most a hundred.",
  },
  SettlementAge: {
    unit: "Seconds",
    dimensions: [],
    meaning: "Seconds since the state of the oldest pending settlement last changed.",
  },
  SettledNotDelivered: {
    unit: "Count",
    dimensions: [],
    meaning: "Settlements whose money has moved on the chain, but which the reconciler has not finished.",
  },
  RelayersBusy: { unit: "Count", dimensions: [], meaning: "A payment found no free relayer in time." },
  RelayerRunway: {
    unit: "Count",
    dimensions: ["relayer"],
    meaning: "Settlements that a relayer can pay for at the current gas price.",
  },
  AuditorRunway: {
    unit: "Count",
    dimensions: [],
    meaning:
      "The number of settlements that the auditor's gas would pay for; a verdict costs less than a settlement.",
  },
  RpcTime: {
    unit: "Milliseconds",
    dimensions: ["host"],
    meaning: "Round trips to a node.",
  },
  RpcErrors: {
    unit: "Count",
    dimensions: ["host"],
    meaning: "1 for a round trip without an answer, 0 for one with an answer.",
  },
  RelayedCalls: {
    unit: "Count",
    dimensions: [],
    meaning: "Calls of clients that were relayed to the chain.",
  },
  ModelErrors: { unit: "Count", dimensions: ["task"], meaning: "A call of the model failed." },
  ModelTokens: {
    unit: "Count",
    dimensions: ["task", "direction"],
    meaning: "Tokens that the model has read or written.",
  },
  Misquotes: {
    unit: "Count",
    dimensions: [],
    meaning: "Quotes of an audit that are not in the draft.",
  },
  ModelCost: { unit: "None", dimensions: ["task"], meaning: "The cost of the tokens, in USD." },
  Defects: { unit: "Count", dimensions: [], meaning: "A request was answered 500." },
  Unavailable: { unit: "Count", dimensions: ["code"], meaning: "A request was answered 503." },
} as const satisfies Readonly<Record<string, Metric>>;

export type MetricName = keyof typeof metrics;
export type DimensionName<Name extends MetricName> = (typeof metrics)[Name]["dimensions"][number];
