// Made from /openapi.json by `npm run client:types`. Do not edit.

export type AuditReport = {
  readonly verdict: "approve" | "revise" | "reject";
  readonly score: number;
  readonly summary: string;
  readonly issues: readonly ({
    readonly severity: "low" | "medium" | "high" | "critical";
    readonly check: string;
    readonly detail: string;
  })[];
  readonly facts: {
    readonly quote: Quote;
    readonly publisherHolds: boolean;
    readonly publisherBalance: string;
  };
  readonly engine: string;
  readonly auditedAt: string;
};

export type AuditSummary = {
  readonly verdict: "approve" | "revise" | "reject";
  readonly score: number;
  readonly summary: string;
  /** Which auditor said so. */
  readonly engine: string;
  readonly auditedAt: string;
};

export type Audited = {
  readonly status: "approved" | "revise" | "rejected";
  readonly audit: AuditReport;
  /** What the identity is minted with once the press is approved. */
  readonly metaUrl: string;
};

export type Author = {
  /** Wallet address, lower-case. */
  readonly address: string;
  /** Every byline that the wallet has used, the newest first. */
  readonly names: readonly {
    readonly name: string;
    /** Of the first press under this name. */
    readonly since: string;
  }[];
  /** Of its first press. */
  readonly since: string;
  /** False for a wallet with more presses than one reading holds: then all of this is of the newest. */
  readonly complete: boolean;
  readonly totals: {
    readonly presses: number;
    /** Paid unlocks. */
    readonly reads: number;
    /** Those of wallets that have unlocked what they vote on. */
    readonly votes: {
      readonly up: number;
      readonly down: number;
    };
  };
  /** Scores, 0 to 100. */
  readonly audits: {
    readonly lowest: number;
    readonly average: number;
    readonly highest: number;
  };
  /** Newest first, at most 200, with their audits' findings. */
  readonly presses: readonly Press[];
};

export type Challenge = {
  /** Good for ten minutes and one use. */
  readonly nonce: string;
  /** EIP-4361 message of several lines: sign it exactly as it is (personal_sign). */
  readonly message: string;
};

export type Dashboard = {
  readonly presses: readonly DashboardPress[];
  readonly totals: {
    readonly earnedUsdg: number;
    readonly live: number;
    readonly reads: number;
  };
  /** Unfinished texts, the last changed one first: only of the full view. */
  readonly manuscripts?: readonly {
    readonly name: string;
    /** Cut short. */
    readonly headline: string;
    readonly stock: string;
    readonly updatedAt: string;
  }[];
  /** The last 100 unlocks, newest first: only of the full view. */
  readonly sales?: readonly {
    readonly at: string;
    /** Who paid. */
    readonly wallet: string;
    /** Who was paid: the wallet that owned the press then. */
    readonly payTo: string;
    readonly amountUsdg: number;
    readonly tx: string;
    readonly slug: string;
    readonly headline: string;
  }[];
};

export type DashboardPress = {
  /** Internal id: names the registration file and the audit report. */
  readonly id: number;
  readonly pressId: number | null;
  readonly slug: string | null;
  readonly headline: string;
  /** Free preview. */
  readonly preview: string;
  /** Ticker of the stock token. */
  readonly stock: string;
  /** Wallet address, lower-case. */
  readonly publisher: string;
  readonly publisherName: string;
  /** For reading only: calculate with priceUnits. */
  readonly priceUsdg: number;
  /** Exact price of both payments together in USDG base units (six decimals). */
  readonly priceUnits: string;
  readonly publishedAt: string | null;
  readonly readMinutes: number;
  readonly auditScore: number | null;
  /** The press began as an AI draft. */
  readonly aiAssisted: boolean;
  readonly publisherHolds: boolean | null;
  readonly priceAtPublish: number | null;
  /** Onchain votes, without those of the publisher's own wallet. */
  readonly votes: {
    readonly up: number;
    readonly down: number;
  };
  /** Those of the votes whose wallets have unlocked the press. A vote from before its wallet's purchase joins them when it is recorded again. */
  readonly readerVotes: {
    readonly up: number;
    readonly down: number;
  };
  /** Count by vote tag. */
  readonly tags: { readonly [name: string]: number };
  /** Paid unlocks. */
  readonly reads: number;
  readonly mintTx: string | null;
  /** Transaction of the audit's onchain verdict, once posted. */
  readonly auditTx: string | null;
  readonly status: "draft" | "revise" | "rejected" | "approved" | "live";
  /** Sum of the publisher's legs. */
  readonly earnedUsdg: number;
  readonly updatedAt: string;
};

export type DiscoveryDocument = {
  readonly name: string;
  readonly description: string;
  /** Page for developers. */
  readonly docs: string;
  readonly network: {
    readonly caip2: string;
    readonly name: string;
    readonly asset: {
      readonly symbol: string;
      readonly address: string;
      readonly decimals: 6;
    };
  };
  readonly x402: {
    readonly version: 2;
    readonly scheme: "exact";
    readonly assetTransferMethod: "permit2";
    readonly permit2: string;
    readonly header: "payment-signature";
  };
  readonly erc8004: {
    readonly identityRegistry: string;
    readonly reputationRegistry: string;
  };
  /** Signed receipts of settled payments. Absent while the key's address cannot be told: ask again. */
  readonly receipts?: {
    readonly extension: "offer-receipt";
    readonly format: "eip712";
    /** The receipts of a transaction: its hash goes in place of `{transaction}`. */
    readonly url: string;
    readonly signer: ReceiptSigner;
  };
  /** The same at length: OpenAPI 3.1, a guide for language models, RSS of the free previews. */
  readonly documents: {
    readonly openapi: string;
    readonly llms: string;
    readonly feed: string;
  };
  /** Of `resources`, as directories of paid endpoints read this document. */
  readonly version: 1;
  /** The paid endpoints, for directories: by the way that needs no allowance. */
  readonly resources: readonly string[];
  readonly endpoints: {
    readonly list: Endpoint;
    readonly read: Endpoint;
    readonly stocks: Endpoint;
    readonly payFee: Endpoint;
    readonly payPublisher: Endpoint;
  };
  /** Steps, in order. */
  readonly flow: readonly string[];
  readonly rules: readonly string[];
};

export type Endpoint = {
  readonly method: "GET" | "POST";
  readonly url: string;
  readonly paid: boolean;
  readonly query?: { readonly [name: string]: string };
  readonly body?: { readonly [name: string]: string };
  readonly share?: string;
  readonly returns: string;
};

export type Findings = {
  readonly low: number;
  readonly medium: number;
};

export type History = {
  readonly votes: readonly ({
    readonly value: 1 | -1;
    /** Empty for none. */
    readonly tag: "" | "accurate" | "well-sourced" | "insightful" | "misleading" | "outdated" | "biased";
    readonly tx: string;
    readonly at: string;
    readonly slug: string;
    readonly headline: string;
    readonly stock: string;
  })[];
  readonly unlocks: readonly {
    /** Transaction that paid the publisher. */
    readonly tx: string;
    readonly at: string;
    readonly slug: string;
    readonly headline: string;
    readonly stock: string;
    /** Both payments together. */
    readonly priceUsdg: number;
  }[];
};

export type Minted = {
  readonly slug: string;
  readonly pressId: number;
};

export type Press = {
  /** Internal id: names the registration file and the audit report. */
  readonly id: number;
  /** Onchain identity id (ERC-8004): what payments and votes name. 0 is one. */
  readonly pressId: number;
  /** Names the press in URLs. Never changes. */
  readonly slug: string;
  readonly headline: string;
  /** Free preview. */
  readonly preview: string;
  /** Ticker of the stock token. */
  readonly stock: string;
  /** Wallet address, lower-case. */
  readonly publisher: string;
  readonly publisherName: string;
  /** For reading only: calculate with priceUnits. */
  readonly priceUsdg: number;
  /** Exact price of both payments together in USDG base units (six decimals). */
  readonly priceUnits: string;
  readonly publishedAt: string;
  readonly readMinutes: number;
  /** Audit agent's score, 0 to 100. */
  readonly auditScore: number;
  /** The press began as an AI draft. */
  readonly aiAssisted: boolean;
  /** The publisher held the stock token when audited. */
  readonly publisherHolds: boolean;
  /** USD a token when the press went live. */
  readonly priceAtPublish: number;
  /** Onchain votes, without those of the publisher's own wallet. */
  readonly votes: {
    readonly up: number;
    readonly down: number;
  };
  /** Those of the votes whose wallets have unlocked the press. A vote from before its wallet's purchase joins them when it is recorded again. */
  readonly readerVotes: {
    readonly up: number;
    readonly down: number;
  };
  /** Count by vote tag. */
  readonly tags: { readonly [name: string]: number };
  /** Paid unlocks. */
  readonly reads: number;
  /** Transaction that minted the identity. */
  readonly mintTx: string;
  /** Transaction of the audit's onchain verdict, once posted. */
  readonly auditTx: string | null;
  /** Where they were asked for, and the audit has kept them. */
  readonly findings?: Findings;
};

export type PressDetail = {
  readonly press: {
    /** Internal id: names the registration file and the audit report. */
    readonly id: number;
    /** Onchain identity id (ERC-8004): what payments and votes name. 0 is one. */
    readonly pressId: number;
    /** Names the press in URLs. Never changes. */
    readonly slug: string;
    readonly headline: string;
    /** Free preview. */
    readonly preview: string;
    /** Ticker of the stock token. */
    readonly stock: string;
    /** Wallet address, lower-case. */
    readonly publisher: string;
    readonly publisherName: string;
    /** For reading only: calculate with priceUnits. */
    readonly priceUsdg: number;
    /** Exact price of both payments together in USDG base units (six decimals). */
    readonly priceUnits: string;
    readonly publishedAt: string;
    readonly readMinutes: number;
    /** Audit agent's score, 0 to 100. */
    readonly auditScore: number;
    /** The press began as an AI draft. */
    readonly aiAssisted: boolean;
    /** The publisher held the stock token when audited. */
    readonly publisherHolds: boolean;
    /** USD a token when the press went live. */
    readonly priceAtPublish: number;
    /** Onchain votes, without those of the publisher's own wallet. */
    readonly votes: {
      readonly up: number;
      readonly down: number;
    };
    /** Those of the votes whose wallets have unlocked the press. A vote from before its wallet's purchase joins them when it is recorded again. */
    readonly readerVotes: {
      readonly up: number;
      readonly down: number;
    };
    /** Count by vote tag. */
    readonly tags: { readonly [name: string]: number };
    /** Paid unlocks. */
    readonly reads: number;
    /** Transaction that minted the identity. */
    readonly mintTx: string;
    /** Transaction of the audit's onchain verdict, once posted. */
    readonly auditTx: string | null;
    /** USD a token now. */
    readonly priceNow: number;
  };
  readonly audit: AuditSummary;
  readonly unlocked: boolean;
  /** Full text in Markdown; null unless the session's wallet is the publisher or has unlocked it. */
  readonly body: string | null;
};

export type PressList = {
  readonly presses: readonly Press[];
  /** For the next page; absent on the last one and where nobody pages. */
  readonly cursor?: string;
};

export type Problem = {
  /** For people. */
  readonly error: string;
  /** Stable, for programs. */
  readonly code: string;
  /** Names the request in our log. */
  readonly requestId: string;
  /** Every refused field of the input, by its dotted path. */
  readonly issues?: readonly {
    readonly path: string;
    readonly message: string;
  }[];
  /** Seconds, as in the Retry-After header. */
  readonly retryAfter?: number;
  /** Of a settlement_pending: the payment that was sent. */
  readonly transaction?: string;
  /** Of a stale_draft or stale_manuscript: the time of what is stored, if it is there. */
  readonly updatedAt?: string;
  /** Of an already_unlocked: where the wallet that paid reads the text. By a sign-in-with-x header on a GET of the first address (x402's extension, good once), or by the sign-in that begins at the second. */
  readonly read?: {
    readonly "sign-in-with-x": string;
    readonly "sign-in": string;
  };
  /** Of a stale_manuscript: the press that it has become. */
  readonly press?: number;
};

export type Quote = {
  readonly symbol: string;
  /** USD a token, as are the day's high and low. */
  readonly mid: number;
  readonly dayHigh: number;
  readonly dayLow: number;
  /** Shares a day. */
  readonly volume: number;
  readonly halted: boolean;
  /** When the source made the price. */
  readonly asOf: string;
};

export type ReceiptList = {
  readonly receipts: readonly SignedReceipt[];
};

export type ReceiptPayload = {
  readonly version: 1;
  /** The chain (CAIP-2). */
  readonly network: string;
  /** The paid address of the 402, and after # the press: `https://…/api/pay/publisher#pressId=7`. */
  readonly resourceUrl: string;
  /** Checksum form (EIP-55). */
  readonly payer: string;
  /** Seconds since the epoch: when the payment was settled. */
  readonly issuedAt: number;
  /** Hash of the transaction that paid, in lower case. */
  readonly transaction: string;
};

export type ReceiptSigner = {
  /** Checksum form (EIP-55). */
  readonly address: string;
  /** The same as a DID (did:pkh), as the extension names keys. */
  readonly kid: string;
};

export type ReportFile = {
  readonly verdict: "approve" | "revise" | "reject";
  readonly score: number;
  readonly summary: string;
  readonly issues: readonly ({
    readonly severity: "low" | "medium" | "high" | "critical";
    readonly check: string;
    readonly detail: string;
  })[];
  readonly facts: {
    readonly quote: Quote;
    readonly publisherHolds: boolean;
    readonly publisherBalance: string;
  };
  readonly engine: string;
  readonly auditedAt: string;
  readonly checks?: readonly ({
    readonly check: string;
    /** The check's name for readers. */
    readonly label?: string;
    readonly by: "rules" | "model" | "rules and model";
    readonly found: number;
    readonly cannotJudge: string;
  })[];
  /** Claims that the model listed, those without support, and entries that misquoted the text. */
  readonly reading?: {
    readonly claims: number;
    readonly unsupported: number;
    readonly dropped: number;
  };
  /** The publisher's answers to findings. */
  readonly disputes?: readonly {
    /** The finding's place in the report's issues, counted from 0. */
    readonly issue: number;
    readonly text: string;
    readonly at: string;
  }[];
  readonly agentRegistry?: string;
  readonly agentId?: number;
  /** The auditor. */
  readonly clientAddress?: string;
  readonly createdAt?: string;
  readonly value?: number;
  readonly valueDecimals?: number;
  readonly tag1?: string;
  readonly tag2?: string;
  readonly endpoint?: string;
};

export type SaveInput = {
  /** Omit it to create a draft; send it to replace your own. */
  readonly id?: number;
  /** The AI draft that the text began as: labels the press. */
  readonly generationId?: number;
  readonly headline: string;
  readonly stock: string;
  /** USDG, at most six decimals. */
  readonly priceUsdg: number;
  readonly publisherName: string;
  readonly preview: string;
  /** Markdown of at least 150 words and at most 100 kB. */
  readonly body: string;
  /** The draft's time as the editor last saw it: a save on top of a newer one is refused. Without it the last one wins. */
  readonly updatedAt?: string;
  /** The unfinished text that this save replaces, as the editor last saw it: it is gone afterwards. */
  readonly manuscript?: {
    readonly name: string;
    readonly updatedAt: string;
  };
};

export type Saved = {
  readonly id: number;
  readonly updatedAt?: string;
};

export type SignedReceipt = {
  readonly format: "eip712";
  readonly payload: ReceiptPayload;
  /** 65 bytes of hex: r, s and v. */
  readonly signature: string;
};

export type Stock = {
  readonly symbol: string;
  readonly name: string;
  readonly address: string;
};

export type StockList = {
  readonly stocks: readonly Stock[];
};

export type Tally = {
  /** Onchain votes, without those of the publisher's own wallet. */
  readonly votes: {
    readonly up: number;
    readonly down: number;
  };
  /** Count by vote tag; a tag that no vote has is absent. */
  readonly tags: { readonly [name in "accurate" | "well-sourced" | "insightful" | "misleading" | "outdated" | "biased"]?: number };
};
