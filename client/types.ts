// Made from /openapi.json by `npm run client:types`. Do not edit.

export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        readonly Angle: components["schemas"]["HeadlineAngle"] | components["schemas"]["StandingAngle"];
        readonly Angles: {
            readonly angles: readonly components["schemas"]["Angle"][];
            readonly freshNews: boolean;
            readonly remaining: number;
        };
        readonly AnglesInput: {
            readonly stock: string;
        };
        readonly AuditInput: {
            readonly id: number;
        };
        readonly AuditReport: {
            /** @enum {string} */
            readonly verdict: "approve" | "revise" | "reject";
            readonly score: number;
            readonly summary: string;
            readonly issues: readonly components["schemas"]["Issue"][];
            readonly facts: {
                readonly quote: components["schemas"]["Quote"];
                readonly publisherHolds: boolean;
                readonly publisherBalance: string;
            };
            readonly engine: string;
            readonly auditedAt: string;
        };
        readonly AuditSummary: {
            /** @enum {string} */
            readonly verdict: "approve" | "revise" | "reject";
            readonly score: number;
            readonly summary: string;
            /** @description The auditor's engine: model and prompt version. */
            readonly engine: string;
            /** Format: date-time */
            readonly auditedAt: string;
        };
        readonly Audited: {
            /** @enum {string} */
            readonly status: "approved" | "revise" | "rejected";
            readonly audit: components["schemas"]["AuditReport"];
            /** @description The address that the mint gives to the identity after the press is approved. */
            readonly metaUrl: string;
        };
        readonly AuditedPress: {
            readonly press: components["schemas"]["DashboardPress"];
            readonly body: string;
            readonly metaUrl: string | null;
            /** @description The number of audits so far, which is at most eight. */
            readonly auditCount: number;
            readonly audit: components["schemas"]["FullReport"] | null;
        };
        readonly Author: {
            /** @description Wallet address, lower-case. */
            readonly address: string;
            /** @description Every byline that the wallet has used, the newest first. */
            readonly names: readonly {
                readonly name: string;
                /**
                 * Format: date-time
                 * @description When the first press under this name went live.
                 */
                readonly since: string;
            }[];
            /** @description The author's description of themselves, given only on the first page. */
            readonly profile: components["schemas"]["Profile"] | null;
            /**
             * Format: date-time
             * @description When the wallet's first press went live.
             */
            readonly since: string;
            /** @description False if the wallet has more presses than one answer holds. If `complete` is false, the numbers cover only the presses in this answer. */
            readonly complete: boolean;
            readonly totals: {
                readonly presses: number;
                /** @description Paid unlocks by wallets other than the author's and the owner's. */
                readonly reads: number;
                /** @description The votes of wallets that have unlocked the press. */
                readonly votes: {
                    readonly up: number;
                    readonly down: number;
                };
            };
            /** @description Scores, 0 to 100. */
            readonly audits: {
                readonly lowest: number;
                readonly average: number;
                readonly highest: number;
            };
            /** @description The newest presses first, at most about 500, with the findings of their audits. */
            readonly presses: readonly components["schemas"]["Press"][];
            /** @description The cursor of the next page. The last page has no cursor. */
            readonly cursor?: string;
        };
        readonly Caller: {
            /** @description In lower case; null if there is no session. */
            readonly address: string | null;
        };
        readonly Challenge: {
            /** @description The nonce is valid for 10 minutes and for one use. */
            readonly nonce: string;
            /** @description EIP-4361 message of several lines: sign it exactly as it is (personal_sign). */
            readonly message: string;
        };
        readonly Change: {
            /**
             * Format: date-time
             * @description The beginning of the period, which ends now.
             */
            readonly since: string;
            /** @description The price at the beginning of the period, in USD per token. */
            readonly from: number;
            /** @description The change since the beginning of the period, in percent, with one decimal. */
            readonly percent: number;
        };
        readonly CheckRun: {
            readonly check: string;
            /** @description The check's name for readers. */
            readonly label?: string;
            /** @enum {string} */
            readonly by: "rules" | "model" | "rules and model";
            readonly found: number;
            readonly cannotJudge: string;
        };
        readonly CorrectInput: {
            readonly id: number;
            /** @description What was wrong and what is right, as plain text. The note is final. */
            readonly text: string;
        };
        readonly Corrected: {
            readonly id: number;
            readonly slug: string;
            readonly priceUsdg: number;
            readonly priceUnits: string;
            readonly priceChangedAt: string | null;
            readonly unlistedAt: string | null;
            readonly corrections: readonly components["schemas"]["Correction"][];
        };
        readonly Correction: {
            /** Format: date-time */
            readonly at: string;
            /** @description Plain text. */
            readonly text: string;
        };
        readonly Dashboard: {
            readonly presses: readonly components["schemas"]["DashboardPress"][];
            /** @description Totals of the presses in this answer. If neither the request nor the answer has a cursor, the totals cover all presses. */
            readonly totals: {
                readonly earnedUsdg: number;
                readonly live: number;
                readonly reads: number;
            };
            /** @description The cursor of the next page. The last page has no cursor. */
            readonly cursor?: string;
            /** @description Unfinished texts, the latest change first. Only the full view has this field. */
            readonly manuscripts?: readonly components["schemas"]["ManuscriptEntry"][];
            /** @description The next step of each press that is not live. Only the full view has this field. */
            readonly waits?: readonly components["schemas"]["Wait"][];
        };
        readonly DashboardPress: {
            /** @description Internal id, used by the registration file and the audit report. */
            readonly id: number;
            readonly pressId: number | null;
            readonly slug: string | null;
            readonly headline: string;
            /** @description Free preview. */
            readonly preview: string;
            /** @description Ticker of the stock token. */
            readonly stock: string;
            /** @description Wallet address, lower-case. */
            readonly publisher: string;
            readonly publisherName: string;
            /** @description True if this byline looks like another wallet's byline or names no person. If true, show the publisher's address beside the byline. */
            readonly bylineAmbiguous: boolean;
            /** @description The price for display; calculate with `priceUnits`. */
            readonly priceUsdg: number;
            /** @description Exact price of both payments together in USDG base units (six decimals). */
            readonly priceUnits: string;
            readonly publishedAt: string | null;
            readonly readMinutes: number;
            readonly auditScore: number | null;
            /** @description The press began as an AI draft. */
            readonly aiAssisted: boolean;
            readonly publisherHolds: boolean | null;
            readonly priceAtPublish: number | null;
            /** @description Onchain votes, without those of the publisher's own wallet. */
            readonly votes: {
                readonly up: number;
                readonly down: number;
            };
            /** @description The votes of wallets that have unlocked the press. If a wallet has voted before its purchase, its vote counts here only after the vote is recorded again. */
            readonly readerVotes: {
                readonly up: number;
                readonly down: number;
            };
            /** @description The press's readers, and the fees that its readers and voters have paid. These numbers and the press's age decide its position on the front page. */
            readonly standing: {
                /** @description Paid unlocks by wallets other than the publisher's and the owner's. */
                readonly reads: number;
                /** @description The platform's fees for the unlocks that `reads` counts, in USDG base units. */
                readonly readFees: string;
                /** @description The part of `readFees` that was paid by wallets whose votes count in `upFees` or `downFees`. */
                readonly voterFees: string;
                /** @description The sum of the weights of readers' votes for the press. A vote's weight is the sum of the wallet's fees to the platform in the 90 days before the vote, in USDG base units. */
                readonly upFees: string;
                /** @description The sum of the weights of readers' votes against the press. */
                readonly downFees: string;
            };
            /** @description The number of votes for each tag. */
            readonly tags: {
                readonly [key: string]: number;
            };
            /** @description Paid unlocks. */
            readonly reads: number;
            /** @description The author counts as new until this time, thirty days after the author's first press. The value is null after the author's third press, or if this press went live thirty days or more after the first. */
            readonly newAuthorUntil: string | null;
            /** @description The author's notes since the press went live, the oldest first. */
            readonly corrections: readonly components["schemas"]["Correction"][];
            /** @description When the price was changed last. */
            readonly priceChangedAt: string | null;
            /** @description When the author removed the press from lists and from sale. Wallets that have unlocked the press can still read it. */
            readonly unlistedAt: string | null;
            readonly mintTx: string | null;
            /** @description Transaction of the audit's onchain verdict; null until the verdict is posted. */
            readonly auditTx: string | null;
            /** @enum {string} */
            readonly status: "draft" | "revise" | "rejected" | "approved" | "live";
            /** @description The sum of the payments to the publisher for this press. */
            readonly earnedUsdg: number;
            /** Format: date-time */
            readonly updatedAt: string;
        };
        readonly DayPrice: {
            /** Format: date */
            readonly day: string;
            /** @description USD per token. */
            readonly mid: number;
        };
        readonly DiscoveryDocument: {
            readonly name: string;
            readonly description: string;
            /** @description Page for developers. */
            readonly docs: string;
            readonly network: {
                readonly caip2: string;
                readonly name: string;
                readonly asset: {
                    readonly symbol: string;
                    readonly address: string;
                    /** @constant */
                    readonly decimals: 6;
                };
            };
            readonly x402: {
                /** @constant */
                readonly version: 2;
                /** @constant */
                readonly scheme: "exact";
                /** @constant */
                readonly assetTransferMethod: "permit2";
                readonly permit2: string;
                /** @constant */
                readonly header: "payment-signature";
            };
            readonly erc8004: {
                readonly identityRegistry: string;
                readonly reputationRegistry: string;
            };
            /** @description Signed receipts of settled payments. The member is missing while the key's address is unavailable: ask again. */
            readonly receipts?: {
                /** @constant */
                readonly extension: "offer-receipt";
                /** @constant */
                readonly format: "eip712";
                /** @description The URL of a transaction's receipts: the transaction's hash replaces `{transaction}`. */
                readonly url: string;
                readonly signer: components["schemas"]["ReceiptSigner"];
            };
            /** @description The other documents: OpenAPI 3.1, a guide for language models, RSS of the free previews. */
            readonly documents: {
                readonly openapi: string;
                readonly llms: string;
                readonly feed: string;
            };
            /**
             * @description The version of `resources`, for directories of paid endpoints.
             * @constant
             */
            readonly version: 1;
            /** @description The paid endpoints, for directories, with the method that needs no allowance. */
            readonly resources: readonly string[];
            readonly endpoints: {
                readonly list: components["schemas"]["Endpoint"];
                readonly read: components["schemas"]["Endpoint"];
                readonly stocks: components["schemas"]["Endpoint"];
                readonly payFee: components["schemas"]["Endpoint"];
                readonly payPublisher: components["schemas"]["Endpoint"];
            };
            /** @description Steps, in order. */
            readonly flow: readonly string[];
            readonly rules: readonly string[];
        };
        readonly Dispute: {
            /** @description The finding's place in the report's issues, counted from 0. */
            readonly issue: number;
            readonly text: string;
            readonly at: string;
        };
        readonly DisputeInput: {
            readonly id: number;
            /** Format: date-time */
            readonly auditedAt: string;
            readonly issue: number;
            readonly text: string | null;
        };
        readonly Disputed: {
            readonly disputes: readonly components["schemas"]["Dispute"][];
        };
        readonly Draft: {
            /** @description One line of 8 to 90 characters, no Markdown. */
            readonly headline: string;
            /** @description 80 to 400 characters, no Markdown. */
            readonly preview: string;
            /** @description Markdown, 250 to 450 words. */
            readonly body: string;
        };
        readonly EndInput: {
            /** @description An id from the list of sessions. */
            readonly id: string;
        } | {
            /**
             * @description Ends all sessions except the current session.
             * @constant
             */
            readonly others: true;
        };
        readonly Ended: {
            /** @description The number of ended sessions. */
            readonly ended: number;
            /** @description Whether the current session was ended. If true, the session's cookie is cleared. */
            readonly signedOut: boolean;
        };
        readonly Endpoint: {
            /** @enum {string} */
            readonly method: "GET" | "POST";
            readonly url: string;
            readonly paid: boolean;
            readonly query?: {
                readonly [key: string]: string;
            };
            readonly body?: {
                readonly [key: string]: string;
            };
            readonly share?: string;
            readonly returns: string;
        };
        readonly FeePaid: {
            /** @constant */
            readonly paid: true;
            /** @description The transaction that paid. */
            readonly tx: string;
            /**
             * @description The leg had been paid before; nothing was settled again.
             * @constant
             */
            readonly already?: true;
        };
        readonly Findings: {
            readonly low: number;
            readonly medium: number;
        };
        readonly FullReport: {
            /** @enum {string} */
            readonly verdict: "approve" | "revise" | "reject";
            readonly score: number;
            readonly summary: string;
            readonly issues: readonly components["schemas"]["Issue"][];
            readonly facts: {
                readonly quote: components["schemas"]["Quote"];
                readonly publisherHolds: boolean;
                readonly publisherBalance: string;
            };
            readonly engine: string;
            readonly auditedAt: string;
            readonly checks?: readonly components["schemas"]["CheckRun"][];
            /** @description The numbers of claims that the model listed, of claims without support, and of entries that misquoted the text. */
            readonly reading?: {
                readonly claims: number;
                readonly unsupported: number;
                readonly dropped: number;
            };
            /** @description The publisher's answers to findings. */
            readonly disputes?: readonly components["schemas"]["Dispute"][];
        };
        readonly GenerateInput: {
            readonly stock: string;
            readonly angleId: string;
        };
        readonly Generated: {
            readonly generationId: number;
            readonly draft: components["schemas"]["Draft"];
            readonly sources: readonly {
                readonly title: string;
                readonly source: string;
                readonly link: string;
            }[];
            readonly remaining: number;
        };
        readonly HeadlineAngle: {
            readonly id: string;
            /** @constant */
            readonly kind: "headline";
            readonly title: string;
            readonly detail: string;
            readonly source: string;
            readonly link: string;
            readonly publishedAt: string;
        };
        readonly History: {
            readonly votes: readonly components["schemas"]["VoteEntry"][];
            readonly unlocks: readonly components["schemas"]["UnlockEntry"][];
            /** @description The cursor of the next page. The last page has no cursor. */
            readonly cursor?: string;
        };
        readonly Issue: {
            /** @enum {string} */
            readonly severity: "low" | "medium" | "high" | "critical";
            readonly check: string;
            readonly detail: string;
        };
        readonly ManuscriptEntry: {
            readonly name: string;
            /** @description Cut short. */
            readonly headline: string;
            readonly stock: string;
            /** Format: date-time */
            readonly updatedAt: string;
        };
        readonly MarketWeek: {
            readonly stocks: readonly components["schemas"]["StockWeek"][];
        };
        readonly McpAnswer: {
            /** @constant */
            readonly jsonrpc: "2.0";
            readonly id?: string | number | null;
            readonly result?: {
                readonly [key: string]: unknown;
            };
            readonly error?: {
                readonly code: number;
                readonly message: string;
            } & {
                readonly [key: string]: unknown;
            };
        } & {
            readonly [key: string]: unknown;
        };
        readonly McpDescription: {
            readonly name: string;
            readonly url: string;
            /** @constant */
            readonly transport: "streamable-http";
            readonly instructions: string;
            readonly tools: readonly {
                readonly name: string;
                readonly title: string;
                readonly description: string;
            }[];
            readonly payment: string;
        };
        readonly McpMessage: {
            /** @constant */
            readonly jsonrpc: "2.0";
            /** @description A notification has no id. The service answers a notification with status 202. */
            readonly id?: string | number;
            /** @description initialize, ping, tools/list, tools/call, or a notification. */
            readonly method: string;
            readonly params?: {
                readonly [key: string]: unknown;
            };
        };
        readonly Minted: {
            readonly slug: string;
            readonly pressId: number;
        };
        readonly MintedInput: {
            readonly id: number;
            readonly txHash: string;
        };
        readonly MoveInput: {
            /** @description USDG's TransferWithAuthorization (EIP-3009), valid for ten minutes at most. */
            readonly authorization: components["schemas"]["TransferAuthorization"];
            /** @description The wallet's signature of the authorization. Without the signature, nothing is moved. */
            readonly signature?: string;
        };
        readonly MoveOffer: {
            /** @constant */
            readonly moved: false;
            /** @description The maximum cost of the gas, in USDG base units. The gas is paid from the fees. */
            readonly costUnits: string;
        };
        readonly Moved: {
            /** @constant */
            readonly moved: true;
            /** @description The transaction that moved the money. */
            readonly tx: string;
            /**
             * @description The money had been moved before; nothing was sent again.
             * @constant
             */
            readonly already?: true;
        };
        readonly NonceInput: {
            readonly address: string;
        };
        readonly OwnSession: {
            /** @description Identifies the session in the request that ends it. The id gives no access. */
            readonly id: string;
            /**
             * @description A session that began with a payment can read but cannot publish.
             * @enum {string}
             */
            readonly origin: "sign-in" | "payment";
            /** Format: date-time */
            readonly createdAt: string;
            /** Format: date-time */
            readonly expiresAt: string;
            /** @description Whether this is the current session. */
            readonly current: boolean;
        };
        readonly PaidLeg: {
            /** @enum {string} */
            readonly leg: "fee" | "publisher";
            /** @description The transaction of this payment. */
            readonly tx: string;
            /** Format: date-time */
            readonly at: string;
            /** @description USDG base units. */
            readonly units: string;
            /** @description The wallet that was paid. */
            readonly payTo: string;
        };
        readonly PayInput: {
            readonly pressId: number;
        };
        readonly PaymentPayload: {
            /** @constant */
            readonly x402Version: 2;
            readonly accepted: {
                readonly scheme: string;
                readonly network: string;
                readonly amount: string;
                readonly asset: string;
                readonly payTo: string;
                readonly extra?: {
                    readonly ticket: string;
                };
            };
            readonly payload: {
                readonly signature: string;
                readonly permit2Authorization: {
                    readonly permitted: {
                        readonly token: string;
                        readonly amount: string;
                    };
                    readonly from: string;
                    readonly spender: string;
                    readonly nonce: string;
                    readonly deadline: string;
                    readonly witness: {
                        readonly to: string;
                        readonly validAfter: string;
                    };
                };
            } | {
                readonly signature: string;
                readonly authorization: components["schemas"]["TransferAuthorization"];
            };
            readonly extensions?: {
                readonly "payment-identifier"?: {
                    readonly info: {
                        readonly id?: string;
                    };
                };
            } | null;
        };
        readonly PaymentReceipt: {
            readonly success: boolean;
            /** @description The text is empty when nothing was broadcast. */
            readonly transaction: string;
            readonly network: string;
            readonly payer: string;
            /** @description The reason of a failure, as a protocol code. */
            readonly errorReason?: string;
            /** @description The signed receipt (EIP-712) of a settled payment, in the form that /api/receipts returns. */
            readonly extensions?: {
                readonly "offer-receipt": {
                    readonly info: {
                        readonly receipt?: {
                            readonly signature: string;
                        } & {
                            readonly [key: string]: unknown;
                        };
                        /** @description The address at which the client gets the receipt, if the receipt could not be signed in time. */
                        readonly unsigned?: string;
                    };
                    readonly schema: {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
        readonly PaymentRequired: {
            /** @constant */
            readonly x402Version: 2;
            /** @description For people. */
            readonly error: string;
            /** @description A stable code that says why the terms are offered. */
            readonly code: string;
            readonly accepts: readonly components["schemas"]["PaymentRequirements"][];
            readonly resource: {
                readonly url: string;
                readonly description: string;
                readonly mimeType: string;
                readonly serviceName: string;
                readonly tags: readonly string[];
                readonly iconUrl: string;
            };
            readonly extensions: {
                /** @description A payment may carry an id that the client chooses. A repeated request with the same id gets the same answer. */
                readonly "payment-identifier": {
                    readonly info: {
                        /** @constant */
                        readonly required: false;
                    };
                    readonly schema: {
                        readonly [key: string]: unknown;
                    };
                };
                /** @description The terms of sale and their version. x402's extension `terms` is a draft. */
                readonly terms: {
                    /** @constant */
                    readonly draft: true;
                    readonly info: {
                        /** @constant */
                        readonly format: "uri";
                        readonly terms: string;
                        /** @constant */
                        readonly version: "2026-11-24";
                    };
                };
                /** @description A signed offer (EIP-712). Requests within the same minute get the same offer. One offer is enough, because the entries of `accepts` differ only in method. */
                readonly "offer-receipt"?: {
                    readonly info: {
                        readonly offers: readonly ({
                            readonly signature: string;
                        } & {
                            readonly [key: string]: unknown;
                        })[];
                        /** @description Why there is no offer. */
                        readonly unsigned?: string;
                    };
                    readonly schema: {
                        readonly [key: string]: unknown;
                    };
                };
                /** @description Only at the publisher's leg: a wallet that has unlocked the press signs this message (EIP-4361) instead of a payment, sends it in the sign-in-with-x header, and gets the text. The message is valid once, for five minutes. */
                readonly "sign-in-with-x"?: {
                    readonly info: {
                        readonly domain: string;
                        /** @description The URL of the paid endpoint, with the press after `#`. */
                        readonly uri: string;
                        /** @constant */
                        readonly version: "1";
                        readonly nonce: string;
                        readonly issuedAt: string;
                    };
                    readonly supportedChains: readonly {
                        readonly chainId: string;
                        /** @constant */
                        readonly type: "eip191";
                    }[];
                    readonly schema: {
                        readonly [key: string]: unknown;
                    };
                };
                /** @description For directories: an example of request and answer, and their schema. Clients need not send this extension back. */
                readonly bazaar?: {
                    readonly info: {
                        readonly [key: string]: unknown;
                    };
                    readonly schema: {
                        readonly [key: string]: unknown;
                    };
                };
            };
        };
        readonly PaymentRequirements: {
            /** @constant */
            readonly scheme: "exact";
            /** @description CAIP-2 id of the chain. */
            readonly network: string;
            /** @description USDG base units. */
            readonly amount: string;
            /** @description Address of the token. */
            readonly asset: string;
            /** @description The payee, which the payer signs as `to` in the permit's witness or in the authorization. */
            readonly payTo: string;
            readonly maxTimeoutSeconds: number;
            readonly extra: {
                /** @constant */
                readonly assetTransferMethod: "permit2";
                /** @description The permit's spender. */
                readonly spender: string;
                /** @constant */
                readonly name: "USDG";
                /** @description A random value for one payment. If the payment's answer is lost, a repeated payment with this value in `accepted` gets the text. */
                readonly ticket: string;
            } | {
                /** @constant */
                readonly assetTransferMethod: "eip3009";
                /** @description Part of the token's EIP-712 domain. */
                readonly name: string;
                /** @description Part of the token's EIP-712 domain. */
                readonly version: string;
                /**
                 * @description The signed message's type, so that clients need not find it in the token's code.
                 * @constant
                 */
                readonly primaryType: "TransferWithAuthorization";
                /** @description A random value for one payment. If the payment's answer is lost, a repeated payment with this value in `accepted` gets the text. */
                readonly ticket: string;
            };
        };
        readonly Press: {
            /** @description Internal id, used by the registration file and the audit report. */
            readonly id: number;
            /** @description Onchain identity id (ERC-8004), used by payments and votes. 0 is a valid id. */
            readonly pressId: number;
            /** @description The press's name in URLs, which never changes. */
            readonly slug: string;
            readonly headline: string;
            /** @description Free preview. */
            readonly preview: string;
            /** @description Ticker of the stock token. */
            readonly stock: string;
            /** @description Wallet address, lower-case. */
            readonly publisher: string;
            readonly publisherName: string;
            /** @description True if this byline looks like another wallet's byline or names no person. If true, show the publisher's address beside the byline. */
            readonly bylineAmbiguous: boolean;
            /** @description The price for display; calculate with `priceUnits`. */
            readonly priceUsdg: number;
            /** @description Exact price of both payments together in USDG base units (six decimals). */
            readonly priceUnits: string;
            /** Format: date-time */
            readonly publishedAt: string;
            readonly readMinutes: number;
            /** @description Audit agent's score, 0 to 100. */
            readonly auditScore: number;
            /** @description The press began as an AI draft. */
            readonly aiAssisted: boolean;
            /** @description The publisher held the stock token at the time of the audit. */
            readonly publisherHolds: boolean;
            /** @description The stock's price in USD per token when the press went live. */
            readonly priceAtPublish: number;
            /** @description Onchain votes, without those of the publisher's own wallet. */
            readonly votes: {
                readonly up: number;
                readonly down: number;
            };
            /** @description The votes of wallets that have unlocked the press. If a wallet has voted before its purchase, its vote counts here only after the vote is recorded again. */
            readonly readerVotes: {
                readonly up: number;
                readonly down: number;
            };
            /** @description The press's readers, and the fees that its readers and voters have paid. These numbers and the press's age decide its position on the front page. */
            readonly standing: {
                /** @description Paid unlocks by wallets other than the publisher's and the owner's. */
                readonly reads: number;
                /** @description The platform's fees for the unlocks that `reads` counts, in USDG base units. */
                readonly readFees: string;
                /** @description The part of `readFees` that was paid by wallets whose votes count in `upFees` or `downFees`. */
                readonly voterFees: string;
                /** @description The sum of the weights of readers' votes for the press. A vote's weight is the sum of the wallet's fees to the platform in the 90 days before the vote, in USDG base units. */
                readonly upFees: string;
                /** @description The sum of the weights of readers' votes against the press. */
                readonly downFees: string;
            };
            /** @description The number of votes for each tag. */
            readonly tags: {
                readonly [key: string]: number;
            };
            /** @description Paid unlocks. */
            readonly reads: number;
            /** @description The author counts as new until this time, thirty days after the author's first press. The value is null after the author's third press, or if this press went live thirty days or more after the first. */
            readonly newAuthorUntil: string | null;
            /** @description The author's notes since the press went live, the oldest first. */
            readonly corrections: readonly components["schemas"]["Correction"][];
            /** @description When the price was changed last. */
            readonly priceChangedAt: string | null;
            /** @description When the author removed the press from lists and from sale. Wallets that have unlocked the press can still read it. */
            readonly unlistedAt: string | null;
            /** @description Transaction that minted the identity. */
            readonly mintTx: string;
            /** @description Transaction of the audit's onchain verdict; null until the verdict is posted. */
            readonly auditTx: string | null;
            /** @description The field is present only if the request asks for findings and the audit has stored its findings. */
            readonly findings?: components["schemas"]["Findings"];
        };
        readonly PressDetail: {
            readonly press: {
                /** @description Internal id, used by the registration file and the audit report. */
                readonly id: number;
                /** @description Onchain identity id (ERC-8004), used by payments and votes. 0 is a valid id. */
                readonly pressId: number;
                /** @description The press's name in URLs, which never changes. */
                readonly slug: string;
                readonly headline: string;
                /** @description Free preview. */
                readonly preview: string;
                /** @description Ticker of the stock token. */
                readonly stock: string;
                /** @description Wallet address, lower-case. */
                readonly publisher: string;
                readonly publisherName: string;
                /** @description True if this byline looks like another wallet's byline or names no person. If true, show the publisher's address beside the byline. */
                readonly bylineAmbiguous: boolean;
                /** @description The price for display; calculate with `priceUnits`. */
                readonly priceUsdg: number;
                /** @description Exact price of both payments together in USDG base units (six decimals). */
                readonly priceUnits: string;
                /** Format: date-time */
                readonly publishedAt: string;
                readonly readMinutes: number;
                /** @description Audit agent's score, 0 to 100. */
                readonly auditScore: number;
                /** @description The press began as an AI draft. */
                readonly aiAssisted: boolean;
                /** @description The publisher held the stock token at the time of the audit. */
                readonly publisherHolds: boolean;
                /** @description The stock's price in USD per token when the press went live. */
                readonly priceAtPublish: number;
                /** @description Onchain votes, without those of the publisher's own wallet. */
                readonly votes: {
                    readonly up: number;
                    readonly down: number;
                };
                /** @description The votes of wallets that have unlocked the press. If a wallet has voted before its purchase, its vote counts here only after the vote is recorded again. */
                readonly readerVotes: {
                    readonly up: number;
                    readonly down: number;
                };
                /** @description The press's readers, and the fees that its readers and voters have paid. These numbers and the press's age decide its position on the front page. */
                readonly standing: {
                    /** @description Paid unlocks by wallets other than the publisher's and the owner's. */
                    readonly reads: number;
                    /** @description The platform's fees for the unlocks that `reads` counts, in USDG base units. */
                    readonly readFees: string;
                    /** @description The part of `readFees` that was paid by wallets whose votes count in `upFees` or `downFees`. */
                    readonly voterFees: string;
                    /** @description The sum of the weights of readers' votes for the press. A vote's weight is the sum of the wallet's fees to the platform in the 90 days before the vote, in USDG base units. */
                    readonly upFees: string;
                    /** @description The sum of the weights of readers' votes against the press. */
                    readonly downFees: string;
                };
                /** @description The number of votes for each tag. */
                readonly tags: {
                    readonly [key: string]: number;
                };
                /** @description Paid unlocks. */
                readonly reads: number;
                /** @description The author counts as new until this time, thirty days after the author's first press. The value is null after the author's third press, or if this press went live thirty days or more after the first. */
                readonly newAuthorUntil: string | null;
                /** @description The author's notes since the press went live, the oldest first. */
                readonly corrections: readonly components["schemas"]["Correction"][];
                /** @description When the price was changed last. */
                readonly priceChangedAt: string | null;
                /** @description When the author removed the press from lists and from sale. Wallets that have unlocked the press can still read it. */
                readonly unlistedAt: string | null;
                /** @description Transaction that minted the identity. */
                readonly mintTx: string;
                /** @description Transaction of the audit's onchain verdict; null until the verdict is posted. */
                readonly auditTx: string | null;
                /** @description The stock's price now, in USD per token. */
                readonly priceNow: number;
                /** @description The URLs that accept a POST of { pressId }. The fee must be paid first. */
                readonly payAt: {
                    /** @constant */
                    readonly fee: "/api/pay/treasury";
                    /** @constant */
                    readonly publisher: "/api/pay/publisher";
                };
            };
            readonly audit: components["schemas"]["AuditSummary"];
            readonly unlocked: boolean;
            /** @description Full text in Markdown; null unless the session's wallet is the publisher or has unlocked it. */
            readonly body: string | null;
        };
        readonly PressList: {
            readonly presses: readonly components["schemas"]["Press"][];
            /** @description The cursor of the next page. The last page has no cursor, and an answer to a request without `limit` and `cursor` has no cursor. */
            readonly cursor?: string;
        };
        readonly PriceInput: {
            readonly id: number;
            /** @description The price in USDG, with at most six decimals. */
            readonly priceUsdg: number;
        };
        readonly PriceNow: {
            /** @description The lowest price that a save accepts, in USDG. */
            readonly leastUsdg: number;
            /** @description The lowest price, in USDG, whose fee pays for the gas of a read at the current gas price. A press below this price can be sold until its publisher's gas allowance of the day is used up. */
            readonly carryingUsdg: number;
        };
        readonly PricePoint: {
            /** Format: date-time */
            readonly at: string;
            /** @description USD per token. */
            readonly mid: number;
        };
        readonly Problem: {
            /** @description For people. */
            readonly error: string;
            /** @description Stable, for programs. */
            readonly code: string;
            /** @description The request's id in the service's log. */
            readonly requestId: string;
            /** @description Every refused field of the input, with the field's dotted path. */
            readonly issues?: readonly {
                readonly path: string;
                readonly message: string;
            }[];
            /** @description Seconds, as in the Retry-After header. */
            readonly retryAfter?: number;
            /** @description Only with the code settlement_pending: the sent transaction's hash. */
            readonly transaction?: string;
            /** @description The time of the stored version, if there is one; only with the code stale_draft or stale_manuscript. */
            readonly updatedAt?: string;
            /** @description Where the wallet that paid can read the text. Only the refusal already_unlocked has this member. `sign-in-with-x`: the URL for a GET with x402's header of the same name, which is valid once. `sign-in`: the URL at which a sign-in begins. */
            readonly read?: {
                readonly "sign-in-with-x": string;
                readonly "sign-in": string;
            };
            /** @description Only with the code stale_manuscript: the press that the manuscript has become. */
            readonly press?: number;
        };
        readonly Profile: {
            /** @description Plain text, which may be empty. */
            readonly text: string;
            /** @description A web page that the author calls their own. Nobody has checked whether the page belongs to the author. */
            readonly link: string | null;
        };
        readonly Purchase: {
            readonly pressId: number;
            readonly slug: string;
            readonly headline: string;
            readonly stock: string;
            /** @description The price of both payments together, in USDG base units. */
            readonly priceUnits: string;
            /** @description The payments, in the order in which they were settled. */
            readonly payments: readonly components["schemas"]["PaidLeg"][];
            /** @description Whether the publisher has been paid for this purchase. Until the publisher is paid, the paid fee is kept for the press and is not charged again. */
            readonly unlocked: boolean;
        };
        readonly Purchases: {
            readonly purchases: readonly components["schemas"]["Purchase"][];
            /** @description The cursor of the next page. The last page has no cursor. */
            readonly cursor?: string;
        };
        readonly Quote: {
            readonly symbol: string;
            /** @description The price in USD per token, like the day's high and low. */
            readonly mid: number;
            readonly dayHigh: number;
            readonly dayLow: number;
            /** @description Shares a day. */
            readonly volume: number;
            readonly halted: boolean;
            /**
             * Format: date-time
             * @description When the source made the price.
             */
            readonly asOf: string;
        };
        readonly ReceiptList: {
            readonly receipts: readonly components["schemas"]["SignedReceipt"][];
        };
        readonly ReceiptPayload: {
            /** @constant */
            readonly version: 1;
            /** @description The chain (CAIP-2). */
            readonly network: string;
            /** @description The address of the paid endpoint, and after `#` the press: `https://…/api/pay/publisher#pressId=7`. */
            readonly resourceUrl: string;
            /** @description Checksum form (EIP-55). */
            readonly payer: string;
            /** @description Seconds since the epoch: when the payment was settled. */
            readonly issuedAt: number;
            /** @description Hash of the transaction that paid, in lower case. */
            readonly transaction: string;
        };
        readonly ReceiptSigner: {
            /** @description Checksum form (EIP-55). */
            readonly address: string;
            /** @description The same address as a DID (did:pkh), the form in which the extension names keys. */
            readonly kid: string;
        };
        readonly RecordInput: {
            readonly txHash: string;
        };
        readonly Registration: {
            /** @constant */
            readonly type: "https://eips.ethereum.org/EIPS/eip-8004#registration-v1";
            readonly name: string;
            readonly description: string;
            /** Format: uri */
            readonly image: string;
            readonly services: readonly {
                readonly name: string;
                /** Format: uri */
                readonly endpoint: string;
            }[];
            /** @constant */
            readonly x402Support: true;
            /** @constant */
            readonly active: true;
            /** @description The list is empty until the identity is minted and confirmed. */
            readonly registrations: readonly {
                readonly agentId: number;
                readonly agentRegistry: string;
            }[];
            readonly supportedTrust: readonly [
                "reputation"
            ];
            /** @description keccak256 of the text's UTF-8 bytes. */
            readonly contentHash: string;
            readonly audit: {
                /** @enum {string} */
                readonly verdict: "approve" | "revise" | "reject";
                readonly score: number;
            };
            readonly price: {
                readonly amount: number;
                readonly units: string;
                readonly asset: string;
            };
        };
        readonly ReportFile: {
            /** @enum {string} */
            readonly verdict: "approve" | "revise" | "reject";
            readonly score: number;
            readonly summary: string;
            readonly issues: readonly components["schemas"]["Issue"][];
            readonly facts: {
                readonly quote: components["schemas"]["Quote"];
                readonly publisherHolds: boolean;
                readonly publisherBalance: string;
            };
            readonly engine: string;
            readonly auditedAt: string;
            readonly checks?: readonly components["schemas"]["CheckRun"][];
            /** @description The numbers of claims that the model listed, of claims without support, and of entries that misquoted the text. */
            readonly reading?: {
                readonly claims: number;
                readonly unsupported: number;
                readonly dropped: number;
            };
            /** @description The publisher's answers to findings. */
            readonly disputes?: readonly components["schemas"]["Dispute"][];
            readonly agentRegistry?: string;
            readonly agentId?: number;
            /** @description The auditor. */
            readonly clientAddress?: string;
            /** Format: date-time */
            readonly createdAt?: string;
            readonly value?: number;
            readonly valueDecimals?: number;
            readonly tag1?: string;
            readonly tag2?: string;
            readonly endpoint?: string;
        };
        readonly RpcAnswer: {
            /** @constant */
            readonly jsonrpc: "2.0";
            readonly id: components["schemas"]["RpcId"];
            readonly result: unknown;
        } | {
            /** @constant */
            readonly jsonrpc: "2.0";
            readonly id: components["schemas"]["RpcId"];
            readonly error: components["schemas"]["RpcError"];
        };
        readonly RpcAnswers: readonly components["schemas"]["RpcAnswer"][];
        readonly RpcError: {
            readonly code: number;
            readonly message: string;
            readonly data?: unknown;
        };
        readonly RpcId: string | number | null;
        readonly RpcRequest: {
            /** @constant */
            readonly jsonrpc: "2.0";
            readonly id?: string | number | null;
            readonly method: string;
            /** @default [] */
            readonly params: readonly unknown[] | {
                readonly [key: string]: unknown;
            };
        };
        readonly RpcRequests: readonly components["schemas"]["RpcRequest"][];
        readonly SaveInput: {
            /** @description Omit the id to create a draft; send the id to replace your own draft. */
            readonly id?: number;
            /** @description The AI draft that the text came from. A press that was saved with this field is marked as AI-assisted. */
            readonly generationId?: number;
            readonly headline: string;
            readonly stock: string;
            /** @description The price in USDG, with at most six decimals. */
            readonly priceUsdg: number;
            readonly publisherName: string;
            readonly preview: string;
            /** @description Markdown of at least 150 words and at most 100 kB. */
            readonly body: string;
            /**
             * Format: date-time
             * @description The `updatedAt` of the version of the draft that the editor has seen. The save is refused if a newer draft is stored. A save without this time overwrites even a newer draft. Without an id, the time is ignored.
             */
            readonly updatedAt?: string;
            /** @description The version of the unfinished text that the editor has seen. The saved draft replaces the unfinished text, which is deleted. */
            readonly manuscript?: {
                readonly name: string;
                /** Format: date-time */
                readonly updatedAt: string;
            };
        };
        readonly Saved: {
            readonly id: number;
            /** Format: date-time */
            readonly updatedAt?: string;
        };
        readonly SearchResult: {
            /** @description Presses with the words in headline, byline or company come first, then presses with words only in the preview; each group newest first. */
            readonly presses: readonly components["schemas"]["Press"][];
            readonly stocks: readonly {
                readonly symbol: string;
                readonly name: string;
            }[];
            /** @description Authors whose bylines match. Anybody may write under any name, so check the address. */
            readonly authors: readonly {
                readonly address: string;
                readonly name: string;
            }[];
            /** @description The corrected words, if the given words have no match. */
            readonly corrected?: string;
        };
        readonly SessionList: {
            readonly sessions: readonly components["schemas"]["OwnSession"][];
        };
        readonly SignedIn: {
            /** @description Lower-case. */
            readonly address: string;
        };
        readonly SignedOut: {
            readonly address: null;
        };
        readonly SignedReceipt: {
            /** @constant */
            readonly format: "eip712";
            readonly payload: components["schemas"]["ReceiptPayload"];
            /** @description 65 bytes of hex: r, s and v. */
            readonly signature: string;
        };
        readonly StandingAngle: {
            /** @constant */
            readonly id: "price";
            /** @constant */
            readonly kind: "price";
            readonly title: string;
            readonly detail: string;
        } | {
            /** @constant */
            readonly id: "fundamentals";
            /** @constant */
            readonly kind: "fundamentals";
            readonly title: string;
            readonly detail: string;
        };
        readonly Stock: {
            readonly symbol: string;
            readonly name: string;
            readonly address: string;
        };
        readonly StockList: {
            readonly stocks: readonly components["schemas"]["Stock"][];
        };
        readonly StockPrices: {
            readonly stock: components["schemas"]["Stock"];
            readonly quote: components["schemas"]["Quote"];
            readonly changes: {
                /** @description In 24 hours. */
                readonly day?: components["schemas"]["Change"];
                /** @description The change over the last seven days, the same as in the list of all stocks. */
                readonly week?: components["schemas"]["Change"];
                /** @description The change over the last 365 days, or since the first recorded price if all recorded prices are newer. */
                readonly year?: components["schemas"]["Change"];
            };
            /** @description About one price per five minutes for the last two hours, one price per quarter of an hour for the last day, and one price per hour for the earlier days. No price is given for times in which the source had no new price. */
            readonly week: readonly components["schemas"]["PricePoint"][];
            /** @description At most 24 evenly spaced closing prices of the last year, oldest first. */
            readonly outline?: readonly number[];
            /** @description The last price of each UTC day, for at most the last 366 days. */
            readonly year: readonly components["schemas"]["DayPrice"][];
        };
        readonly StockWeek: {
            readonly symbol: string;
            readonly name: string;
            readonly address: string;
            /** @description The last price, in USD per token. */
            readonly mid: number;
            /**
             * Format: date-time
             * @description When the source made the last recorded price.
             */
            readonly asOf: string;
            /** @description The last price of every period of four hours in the last seven days, oldest first. The first entry is `change.from`, and the last entry is `mid`. */
            readonly week: readonly number[];
            /** @description At most 24 evenly spaced closing prices of the last year, oldest first. */
            readonly outline?: readonly number[];
            /** @description The change over the last seven days, or since the first recorded price if all recorded prices are newer. */
            readonly change?: components["schemas"]["Change"];
        };
        readonly Tally: {
            /** @description Onchain votes, without those of the publisher's own wallet. */
            readonly votes: {
                readonly up: number;
                readonly down: number;
            };
            /** @description The number of votes for each tag; a tag that no vote has is absent. */
            readonly tags: {
                readonly [key: string]: number;
            };
        };
        readonly TextPaid: {
            /** @constant */
            readonly paid: true;
            /** @description The transaction that paid. */
            readonly tx: string;
            /** @description The full text, in Markdown. */
            readonly body: string;
        };
        readonly TransferAuthorization: {
            readonly from: string;
            readonly to: string;
            readonly value: string;
            readonly validAfter: string;
            readonly validBefore: string;
            readonly nonce: string;
        };
        readonly UnlistInput: {
            readonly id: number;
            /** @description true takes the press off lists and off sale, false puts it back. */
            readonly unlisted: boolean;
        };
        readonly UnlockEntry: {
            /** @description Transaction that paid the publisher. */
            readonly tx: string;
            /** Format: date-time */
            readonly at: string;
            readonly slug: string;
            readonly headline: string;
            readonly stock: string;
            /** @description The sum of both payments. */
            readonly priceUsdg: number;
        };
        readonly VerifyInput: {
            readonly address: string;
            /** @description The nonce of the sign-in message. */
            readonly nonce: string;
            /** @description 0x and hex digits. Contract wallets sign with up to 16 kB. */
            readonly signature: string;
        };
        readonly VoteEntry: {
            /** @enum {number} */
            readonly value: 1 | -1;
            /**
             * @description The text is empty for a vote without a tag.
             * @enum {string}
             */
            readonly tag: "" | "accurate" | "well-sourced" | "insightful" | "misleading" | "outdated" | "biased";
            readonly tx: string;
            /** Format: date-time */
            readonly at: string;
            readonly slug: string;
            readonly headline: string;
            readonly stock: string;
        };
        readonly Wait: {
            readonly id: number;
            /**
             * @description The next step. `since` depends on the step: the time of the save for `audit`, of the audit request for `audit-running`, of the audit for `revision` and `mint`, and of the mint's report for `confirmation`.
             * @enum {string}
             */
            readonly for: "audit" | "audit-running" | "revision" | "mint" | "confirmation";
            /** Format: date-time */
            readonly since: string;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type Angle = components['schemas']['Angle'];
export type Angles = components['schemas']['Angles'];
export type AnglesInput = components['schemas']['AnglesInput'];
export type AuditInput = components['schemas']['AuditInput'];
export type AuditReport = components['schemas']['AuditReport'];
export type AuditSummary = components['schemas']['AuditSummary'];
export type Audited = components['schemas']['Audited'];
export type AuditedPress = components['schemas']['AuditedPress'];
export type Author = components['schemas']['Author'];
export type Caller = components['schemas']['Caller'];
export type Challenge = components['schemas']['Challenge'];
export type Change = components['schemas']['Change'];
export type CheckRun = components['schemas']['CheckRun'];
export type CorrectInput = components['schemas']['CorrectInput'];
export type Corrected = components['schemas']['Corrected'];
export type Correction = components['schemas']['Correction'];
export type Dashboard = components['schemas']['Dashboard'];
export type DashboardPress = components['schemas']['DashboardPress'];
export type DayPrice = components['schemas']['DayPrice'];
export type DiscoveryDocument = components['schemas']['DiscoveryDocument'];
export type Dispute = components['schemas']['Dispute'];
export type DisputeInput = components['schemas']['DisputeInput'];
export type Disputed = components['schemas']['Disputed'];
export type Draft = components['schemas']['Draft'];
export type EndInput = components['schemas']['EndInput'];
export type Ended = components['schemas']['Ended'];
export type Endpoint = components['schemas']['Endpoint'];
export type FeePaid = components['schemas']['FeePaid'];
export type Findings = components['schemas']['Findings'];
export type FullReport = components['schemas']['FullReport'];
export type GenerateInput = components['schemas']['GenerateInput'];
export type Generated = components['schemas']['Generated'];
export type HeadlineAngle = components['schemas']['HeadlineAngle'];
export type History = components['schemas']['History'];
export type Issue = components['schemas']['Issue'];
export type ManuscriptEntry = components['schemas']['ManuscriptEntry'];
export type MarketWeek = components['schemas']['MarketWeek'];
export type McpAnswer = components['schemas']['McpAnswer'];
export type McpDescription = components['schemas']['McpDescription'];
export type McpMessage = components['schemas']['McpMessage'];
export type Minted = components['schemas']['Minted'];
export type MintedInput = components['schemas']['MintedInput'];
export type MoveInput = components['schemas']['MoveInput'];
export type MoveOffer = components['schemas']['MoveOffer'];
export type Moved = components['schemas']['Moved'];
export type NonceInput = components['schemas']['NonceInput'];
export type OwnSession = components['schemas']['OwnSession'];
export type PaidLeg = components['schemas']['PaidLeg'];
export type PayInput = components['schemas']['PayInput'];
export type PaymentPayload = components['schemas']['PaymentPayload'];
export type PaymentReceipt = components['schemas']['PaymentReceipt'];
export type PaymentRequired = components['schemas']['PaymentRequired'];
export type PaymentRequirements = components['schemas']['PaymentRequirements'];
export type Press = components['schemas']['Press'];
export type PressDetail = components['schemas']['PressDetail'];
export type PressList = components['schemas']['PressList'];
export type PriceInput = components['schemas']['PriceInput'];
export type PriceNow = components['schemas']['PriceNow'];
export type PricePoint = components['schemas']['PricePoint'];
export type Problem = components['schemas']['Problem'];
export type Profile = components['schemas']['Profile'];
export type Purchase = components['schemas']['Purchase'];
export type Purchases = components['schemas']['Purchases'];
export type Quote = components['schemas']['Quote'];
export type ReceiptList = components['schemas']['ReceiptList'];
export type ReceiptPayload = components['schemas']['ReceiptPayload'];
export type ReceiptSigner = components['schemas']['ReceiptSigner'];
export type RecordInput = components['schemas']['RecordInput'];
export type Registration = components['schemas']['Registration'];
export type ReportFile = components['schemas']['ReportFile'];
export type RpcAnswer = components['schemas']['RpcAnswer'];
export type RpcAnswers = components['schemas']['RpcAnswers'];
export type RpcError = components['schemas']['RpcError'];
export type RpcId = components['schemas']['RpcId'];
export type RpcRequest = components['schemas']['RpcRequest'];
export type RpcRequests = components['schemas']['RpcRequests'];
export type SaveInput = components['schemas']['SaveInput'];
export type Saved = components['schemas']['Saved'];
export type SearchResult = components['schemas']['SearchResult'];
export type SessionList = components['schemas']['SessionList'];
export type SignedIn = components['schemas']['SignedIn'];
export type SignedOut = components['schemas']['SignedOut'];
export type SignedReceipt = components['schemas']['SignedReceipt'];
export type StandingAngle = components['schemas']['StandingAngle'];
export type Stock = components['schemas']['Stock'];
export type StockList = components['schemas']['StockList'];
export type StockPrices = components['schemas']['StockPrices'];
export type StockWeek = components['schemas']['StockWeek'];
export type Tally = components['schemas']['Tally'];
export type TextPaid = components['schemas']['TextPaid'];
export type TransferAuthorization = components['schemas']['TransferAuthorization'];
export type UnlistInput = components['schemas']['UnlistInput'];
export type UnlockEntry = components['schemas']['UnlockEntry'];
export type VerifyInput = components['schemas']['VerifyInput'];
export type VoteEntry = components['schemas']['VoteEntry'];
export type Wait = components['schemas']['Wait'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
