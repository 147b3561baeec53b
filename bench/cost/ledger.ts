/** What calls of one function used. */
export type Usage = {
  /** Calls of the function, and milliseconds that they took on this machine. */
  readonly calls: number;
  readonly milliseconds: number;
  /** Of the answers, uncompressed. */
  readonly responseBytes: number;
  readonly logLines: number;
  readonly logBytes: number;
  readonly tableRequests: number;
  readonly readUnits: number;
  readonly writeUnits: number;
  /** HTTP requests to the node, the JSON-RPC calls in them, and transactions handed over, each of which was signed once. */
  readonly rpcTrips: number;
  readonly rpcCalls: number;
  readonly signatures: number;
  readonly messages: number;
  readonly executions: number;
  readonly fileRequests: number;
  readonly modelTokens: number;
};

/** By the ids of the rows in `routes.ts` and `jobs.ts`. */
export type Usages = ReadonlyMap<string, Usage>;

export const nothing: Usage = {
  calls: 0,
  milliseconds: 0,
  responseBytes: 0,
  logLines: 0,
  logBytes: 0,
  tableRequests: 0,
  readUnits: 0,
  writeUnits: 0,
  rpcTrips: 0,
  rpcCalls: 0,
  signatures: 0,
  messages: 0,
  executions: 0,
  fileRequests: 0,
  modelTokens: 0,
};

export function plus(one: Usage, other: Partial<Usage>): Usage {
  return mapUsage((name) => one[name] + (other[name] ?? 0));
}

export function times(one: Usage, factor: number): Usage {
  return mapUsage((name) => one[name] * factor);
}

/** Of each function so many times as much. */
export function each(usages: Usages, factorOf: (id: string) => number): Usages {
  return new Map([...usages].map(([id, used]) => [id, times(used, factorOf(id))]));
}

export type Ledger = {
  readonly add: (id: string, used: Partial<Usage>) => void;
  /** Does the work, and says what each function used meanwhile. Nothing else may run. */
  readonly of: (work: () => Promise<unknown>) => Promise<Usages>;
};

export function openLedger(): Ledger {
  let entries = new Map<string, Usage>();
  return {
    add: (id, used) => {
      entries.set(id, plus(entries.get(id) ?? nothing, used));
    },
    async of(work) {
      entries = new Map();
      await work();
      return new Map(entries);
    },
  };
}

function mapUsage(value: (name: keyof Usage) => number): Usage {
  return {
    calls: value("calls"),
    milliseconds: value("milliseconds"),
    responseBytes: value("responseBytes"),
    logLines: value("logLines"),
    logBytes: value("logBytes"),
    tableRequests: value("tableRequests"),
    readUnits: value("readUnits"),
    writeUnits: value("writeUnits"),
    rpcTrips: value("rpcTrips"),
    rpcCalls: value("rpcCalls"),
    signatures: value("signatures"),
    messages: value("messages"),
    executions: value("executions"),
    fileRequests: value("fileRequests"),
    modelTokens: value("modelTokens"),
  };
}
