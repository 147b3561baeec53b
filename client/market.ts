import {
  type Address,
  BaseError,
  type Hex,
  HttpRequestError,
  type LocalAccount,
  maxUint256,
  RpcRequestError,
  zeroHash,
} from "viem";
import {
  getBalance,
  prepareTransactionRequest,
  sendRawTransaction,
  waitForTransactionReceipt,
} from "viem/actions";
import { createSiweMessage } from "viem/siwe";
import { bytesToHex, encodeFunctionData, keccak256 } from "viem/utils";
import {
  type Buyer,
  type BuyOptions,
  makePlan,
  type Plan,
  parsePriceCap,
  pay,
  runWithMoneyReport,
} from "./buy.ts";
import { abi, awaitNodeAnswer, openChain, readFunds } from "./chain.ts";
import { MarketError } from "./error.ts";
import { makeRefusal, openService, type ServiceAnswer } from "./http.ts";
import { type Journal, type LegRecord, wrapJournalErrors } from "./journal.ts";
import { parseTransactionHash, type VerifiedReceipt, verifyReceipts } from "./receipt.ts";
import { type Place, robinhoodChain } from "./typed-data.ts";
import type * as Types from "./types.ts";

export type MarketOptions = {
  /** The service's origin, such as `https://example.com`. */
  readonly origin: string;
  /** The wallet that pays, votes and publishes. Lists, previews and audits can be read without a wallet. */
  readonly account?: LocalAccount;
  /** The journal that stores signatures and receipts. Buying needs a journal. */
  readonly journal?: Journal;
  /** The chain and the contracts for which payments are signed; Robinhood Chain by default. */
  readonly place?: Place;
  /**
   * The address of the node through which the client reads the chain; the service's own RPC proxy by default. If you set the address of
   * your own node, the client checks the publisher's address and expired signatures independently of the service.
   */
  readonly rpcUrl?: string;
  readonly fetch?: typeof fetch;
  /** Milliseconds during which the client repeats an unanswered payment; two minutes by default. */
  readonly resendForMs?: number;
};

/** A press that the wallet may read. */
export type Purchase = {
  readonly press: Types.Press;
  readonly text: string;
  /** The amount in base units that this call of `buy` paid. */
  readonly spentUnits: bigint;
  /**
   * The payments for the press. A payment without `settled` was signed, and may still be charged although the service says that the wallet
   * already has the press.
   */
  readonly receipts: readonly LegRecord[];
};

export type VoteTag = Types.History["votes"][number]["tag"];

/** The maximum number of pages of a list that are read. A page of presses has 200 presses. */
const mostPages = 50;

/**
 * A signed request to read a press has a date that lies this number of milliseconds before the current time. If the service's clock is
 * slow, the current date could be in the future for the service. The service refuses a signed request whose date is in the future.
 */
const datedBack = 60_000;

/**
 * The maximum number of times that the client reports a confirmed vote or mint to the service. The client sends a report every two seconds
 * until the service's node shows the transaction.
 */
const mostReports = 30;

/** The maximum number of seconds between two reports. */
const longestPause = 5;

/**
 * A client of a marketplace of presses. `buy`, `read`, `vote` and the methods for publishing need an account; other methods do not. Every
 * method throws MarketError.
 */
export function openMarket(options: MarketOptions) {
  const { account, place = robinhoodChain } = options;
  const journal = options.journal && wrapJournalErrors(options.journal);
  const origin = new URL(options.origin).origin;
  const { send, now } = openService(origin, options.fetch ?? fetch);
  const chain = openChain(options.rpcUrl ?? `${origin}/api/rpc`, place);
  const sleep = (milliseconds: number) => new Promise<void>((resolve) => setTimeout(resolve, milliseconds));
  let cookie: Promise<string> | undefined;

  /** Returns the body of an answer with status 200. According to the OpenAPI document, the answer's body has the type `Form`. */
  async function get<Form>(path: string, headers: Readonly<Record<string, string>> = {}): Promise<Form> {
    return readBody<Form>(await send(path, { headers }));
  }

  function makeBuyer(): Buyer {
    if (journal === undefined)
      throw new MarketError("no_journal", "Buying needs a journal. Nothing was charged.");
    const resendForMs = options.resendForMs ?? 120_000;
    return { origin, send, now, chain, place, account: requireAccount(), journal, resendForMs, sleep };
  }

  function requireAccount(): LocalAccount {
    if (account === undefined)
      throw new MarketError("no_account", "This call needs a wallet. Nothing was charged.");
    return account;
  }

  /** Returns the headers of the wallet's session. Signs the wallet in, unless an earlier call has already done this. */
  async function makeSessionHeaders(): Promise<Readonly<Record<string, string>>> {
    cookie ??= signIn().catch((error: unknown) => {
      cookie = undefined;
      throw error;
    });
    return { cookie: await cookie, origin };
  }

  async function signIn(): Promise<string> {
    const { address, signMessage } = requireAccount();
    const asked = await send("/api/auth/nonce", { body: { address }, headers: { origin } });
    const { nonce, message } = readBody<Types.Challenge>(asked);
    // The message must name this site. With a signed message for another site, the service could sign in to that site as the wallet.
    const [first = ""] = message.split("\n");
    if (!first.startsWith(`${new URL(origin).host} `) && !first.startsWith(`${origin} `)) {
      throw new MarketError(
        "wrong_message",
        "The service asks the wallet to sign in to another site. Nothing was signed.",
      );
    }
    const signature = await signMessage({ message });
    const answer = await send("/api/auth/verify", {
      body: { address, nonce, signature },
      headers: { origin },
    });
    readBody(answer);
    return answer.headers
      .getSetCookie()
      .map((line) => line.split(";")[0])
      .join("; ");
  }

  /** One page of live presses, newest first, with the cursor of the next page if there is a next page. */
  function list(
    query: { readonly stock?: string; readonly cursor?: string; readonly limit?: number } = {},
  ): Promise<Types.PressList> {
    const asked = Object.entries(query).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, String(value)]],
    );
    const text = new URLSearchParams(asked).toString();
    return get<Types.PressList>(`/api/presses${text === "" ? "" : `?${text}`}`);
  }

  /** All live presses, newest first, read page by page. */
  async function* listAll(stock?: string): AsyncGenerator<Types.Press> {
    let cursor: string | undefined;
    for (let page = 0; page < mostPages; page += 1) {
      const found = await list({
        limit: 200,
        ...(stock !== undefined && { stock }),
        ...(cursor !== undefined && { cursor }),
      });
      yield* found.presses;
      cursor = found.cursor;
      if (cursor === undefined) return;
    }
  }

  /** The free part of the press with the given slug. */
  const readDetail = (slug: string) => get<Types.PressDetail>(makePressPath(slug));

  /** Finds a press by its number or its slug. Throws `unknown_press`. */
  async function find(press: number | string): Promise<Types.Press> {
    if (typeof press === "string") return (await readDetail(press)).press;
    for await (const found of listAll()) if (found.pressId === press) return found;
    // An unlisted press is in no list, but a wallet that has begun to pay for it may finish, and a wallet that has bought it may read it.
    // If a record is broken, such a press is found only by its slug.
    const records = await journal?.all().catch(() => []);
    const begun = records?.find((record) => record.origin === origin && record.pressId === press);
    if (begun !== undefined) return (await readDetail(begun.slug)).press;
    throw new MarketError(
      "unknown_press",
      `No listed press has the number ${press}. Nothing was charged now. A press that is off sale is found by its slug.`,
    );
  }

  /** `advice`: what to do with a transaction that was sent and whose result is unknown. */
  async function sendTx(to: Address, data: Hex, advice?: TxAdvice): Promise<Hex> {
    const account = requireAccount();
    const { address, nonceManager } = account;
    const refuse = (cause: unknown): never => {
      nonceManager?.reset({ address, chainId: place.chainId });
      return throwTxRefused(cause);
    };
    const serializedTransaction = await prepareTransactionRequest(chain, {
      account,
      chain: chain.chain,
      to,
      data,
      type: "eip1559",
      ...(nonceManager && { nonceManager }),
    })
      .then((request) => account.signTransaction(request))
      .catch(refuse);
    const hash = keccak256(serializedTransaction);
    const doubt = await sendRawTransaction(chain, { serializedTransaction }).then(
      () => undefined,
      (cause: unknown) => (isRefusedByNode(cause) ? refuse(cause) : describeCause(cause)),
    );
    // If the node's answer was lost, the chain may still have the transaction, and a second one would do the same again.
    const timeout = doubt === undefined ? receiptTimeoutMs.answered : receiptTimeoutMs.unanswered;
    const { status } = await awaitNodeAnswer(waitForTransactionReceipt(chain, { hash, timeout })).catch(
      (error: unknown) => {
        throw addTxToError(error, hash, advice, doubt);
      },
    );
    if (status === "success") return hash;
    throw new MarketError(
      "transaction_reverted",
      `The transaction ${hash} was reverted: only its gas was spent.`,
    );
  }

  /**
   * Reports a transaction to the service, again and again until the service's node shows the transaction. The thrown errors name the
   * transaction.
   */
  async function reportTx<Form>(report: () => Promise<Form>, hash: Hex, advice?: TxAdvice): Promise<Form> {
    for (let reports = 1; ; reports += 1) {
      try {
        return await report();
      } catch (error) {
        if (!(error instanceof MarketError) || reports === mostReports || !mayReportAgain(error))
          throw addTxToError(error, hash, advice);
        await sleep(Math.min(error.retryAfter ?? 2, longestPause) * 1000);
      }
    }
  }

  /** Sends a request with the wallet's session. If the session has ended, the wallet signs in again, once. */
  async function sendWithSession(path: string, body?: object): Promise<ServiceAnswer> {
    const answer = await send(path, { body, headers: await makeSessionHeaders() });
    if (answer.status !== 401) return answer;
    cookie = undefined;
    return send(path, { body, headers: await makeSessionHeaders() });
  }

  const post = async <Form>(path: string, body: object) => readBody<Form>(await sendWithSession(path, body));

  /**
   * Signs one request to read the given path. The signature has the form of x402's sign-in-with-x, and is valid for one request within five
   * minutes.
   */
  async function makeReadHeaders(path: string): Promise<Readonly<Record<string, string>>> {
    const { address, signMessage } = requireAccount();
    const issuedAt = new Date(now() - datedBack);
    const uri = origin + path;
    const nonce = bytesToHex(crypto.getRandomValues(new Uint8Array(16))).slice(2);
    const said = { domain: new URL(origin).host, address, uri, version: "1", nonce } as const;
    const message = createSiweMessage({ ...said, chainId: place.chainId, issuedAt });
    const signature = await signMessage({ message });
    const chainId = `eip155:${place.chainId}`;
    const proof = { ...said, chainId, type: "eip191", issuedAt: issuedAt.toISOString(), signature };
    return { "sign-in-with-x": btoa(JSON.stringify(proof)) };
  }

  /**
   * Reads a press that the wallet has bought or published. Signs the request, so that no session is needed. Throws `locked` if the wallet
   * has not bought the press.
   */
  async function read(
    press: number | string,
  ): Promise<{ readonly press: Types.Press; readonly text: string }> {
    requireAccount();
    const slug = typeof press === "string" ? press : (await find(press)).slug;
    const path = makePressPath(slug);
    const ask = async () => get<Types.PressDetail>(path, await makeReadHeaders(path));
    const asked = now();
    const { body, press: found } = await ask().catch((error: unknown) => {
      // The service's first answer shows the time of the service's clock. If the service's time differs too much from the time in the
      // signed request, the client signs the request again, but only once.
      const isOther = Math.abs(now() - asked) > datedBack / 2;
      if (error instanceof MarketError && error.code === "invalid_sign_in" && isOther) return ask();
      throw error;
    });
    if (body === null)
      throw new MarketError("locked", `The wallet has not bought ${slug}. Reading charges nothing.`);
    return { press: found, text: body };
  }

  /** Reads the wallet's history, at most 50 pages of it. */
  async function readHistory(): Promise<Types.History> {
    const pages: Types.History[] = [];
    do pages.push(readBody(await sendWithSession(makePagePath("/api/me/history", pages.at(-1)?.cursor))));
    while (pages.at(-1)?.cursor !== undefined && pages.length < mostPages);
    return {
      votes: pages.flatMap(({ votes }) => votes),
      unlocks: pages.flatMap(({ unlocks }) => unlocks),
    };
  }

  return {
    origin,
    list,
    listAll,
    find,
    get: (slug: string) => readDetail(slug),
    /**
     * Finds the presses that contain all `words` in their headline, preview, byline or company. If `words` is blank, returns the newest
     * presses.
     */
    search(
      words: string,
      { stock, limit = 20 }: { readonly stock?: string; readonly limit?: number } = {},
    ): Promise<Types.SearchResult> {
      const asked = new URLSearchParams({ limit: String(Math.min(limit, 50)), ...(stock && { stock }) });
      if (words.trim() === "") return get<Types.PressList>(`/api/presses?${asked}`).then(toSearchResult);
      asked.set("q", words);
      return get<Types.SearchResult>(`/api/search?${asked}`);
    },
    /** The public page of the publisher with the given wallet. */
    fetchAuthor: (wallet: string, cursor?: string) =>
      get<Types.Author>(makePagePath(`/api/authors/${encodeURIComponent(wallet)}`, cursor)),
    /** The full audit report on the press with the given internal `id`. */
    fetchReport: (id: number) => get<Types.ReportFile>(`/api/audit-report/${id}`),
    fetchQuote: (symbol: string) => get<Types.Quote>(`/api/quotes/${encodeURIComponent(symbol)}`),
    fetchStocks: () => get<Types.StockList>("/api/stocks"),
    fetchDiscovery: () => get<Types.DiscoveryDocument>("/.well-known/x402"),
    /** Returns the amounts and payees of a purchase, from terms that were checked, and signs nothing. */
    async plan(press: number | string, options: BuyOptions = {}): Promise<Plan> {
      parsePriceCap(options.maxPriceUsdg);
      const tools = makeBuyer();
      const findPress = () => find(press);
      return runWithMoneyReport(tools, press, findPress, (found) => makePlan(tools, found, options));
    },
    /**
     * Buys a press, or continues an earlier purchase. If the wallet already has the press, its text is read without payment. The press may
     * cost at most 1 USDG, unless `maxPriceUsdg` sets another limit.
     */
    async buy(press: number | string, options: BuyOptions = {}): Promise<Purchase> {
      parsePriceCap(options.maxPriceUsdg);
      const tools = makeBuyer();
      const findPress = () => find(press);
      return runWithMoneyReport(tools, press, findPress, async (found) => {
        const { legs: receipts, spentUnits, ...outcome } = await pay(tools, found, options);
        const text = outcome.text ?? (await read(found.slug)).text;
        return { press: found, text, spentUnits, receipts };
      });
    },
    read,
    /** The wallet's address, its USDG in base units, the USDG that Permit2 may move, and its ETH in wei. */
    async readWallet() {
      const { address } = requireAccount();
      const [{ balance, allowance }, wei] = await awaitNodeAnswer(
        Promise.all([readFunds(chain, place, address), getBalance(chain, { address })]),
      );
      return { address, usdgUnits: balance, allowance, wei } as const;
    },
    /**
     * Returns the signed receipts of a transaction: only the wallet's own receipts, or all receipts if `all` is set or the client has no
     * wallet. Checks the signer of each receipt, and compares the returned receipts with the chain and the journal. Throws `wrong_receipt`
     * if the receipts fail a check.
     */
    async fetchReceipts(
      hash: string,
      { all = false }: { readonly all?: boolean } = {},
    ): Promise<readonly VerifiedReceipt[]> {
      const transaction = parseTransactionHash(hash);
      const [answer, service] = await Promise.all([
        get<unknown>(`/api/receipts/${transaction}`),
        get<Types.DiscoveryDocument>("/.well-known/x402"),
      ]);
      const wallet = all ? undefined : account?.address;
      const paid = ((await journal?.all()) ?? []).filter(
        (record) =>
          record.origin === origin &&
          record.settled?.transaction.toLowerCase() === transaction &&
          (wallet === undefined || record.wallet.toLowerCase() === wallet.toLowerCase()),
      );
      const proofs = { origin, chain, place, wallet, paid, signer: service.receipts?.signer.address };
      return verifyReceipts(proofs, transaction, answer);
    },
    /** Returns all payments in this client's journal, both settled and unsettled payments. */
    listPayments: () => makeBuyer().journal.all(),
    /** The wallet's votes and purchases, as the service has recorded them. */
    readHistory,
    /**
     * Approves Permit2 to move the wallet's USDG. A wallet needs to approve Permit2 only once. The approval costs a little ETH. Payments by
     * EIP-3009 need no approval for Permit2 and no ETH.
     */
    approve: () =>
      sendTx(
        place.usdg,
        encodeFunctionData({ abi, functionName: "approve", args: [place.permit2, maxUint256] }),
      ),
    /** Votes onchain and asks the service to count the vote. The wallet needs a little ETH. */
    async vote(
      press: number | string,
      value: 1 | -1,
      tag: VoteTag = "",
    ): Promise<Types.Tally & { readonly tx: Hex }> {
      const { pressId, slug } = await find(press);
      const endpoint = `${origin}/press/${slug}`;
      const args = [BigInt(pressId), BigInt(value), 0, tag, "", endpoint, "", zeroHash] as const;
      const data = encodeFunctionData({ abi, functionName: "giveFeedback", args });
      const txHash = await sendTx(place.reputationRegistry, data);
      const record = async () => readBody<Types.Tally>(await send("/api/votes/record", { body: { txHash } }));
      const tally = await reportTx(record, txHash);
      return { ...tally, tx: txHash };
    },
    save: (draft: Types.SaveInput) => post<Types.Saved>("/api/press/save", draft),
    runAudit: (id: number) => post<Types.Audited>("/api/press/audit", { id }),
    fetchDashboard: async (cursor?: string) =>
      readBody<Types.Dashboard>(await sendWithSession(makePagePath("/api/me/dashboard", cursor))),
    /**
     * Mints the identity of an approved press and makes the press live. The wallet needs a little ETH. If the transaction was sent and then
     * something fails, the error names the transaction: finish with `confirmMint`, because a second mint would publish the press twice.
     */
    async mint(id: number, metaUrl: string): Promise<Types.Minted & { readonly tx: Hex }> {
      const data = encodeFunctionData({ abi, functionName: "register", args: [metaUrl] });
      return this.confirmMint(id, await sendTx(place.identityRegistry, data, adviseConfirmation(id)));
    },
    /** Makes the press of an approved draft live, by the transaction that has minted the press's identity. */
    async confirmMint(id: number, txHash: Hex): Promise<Types.Minted & { readonly tx: Hex }> {
      const confirm = () => post<Types.Minted>("/api/press/minted", { id, txHash });
      return { ...(await reportTx(confirm, txHash, adviseConfirmation(id))), tx: txHash };
    },
    /**
     * Saves a draft, requests the audit of the draft, mints the press's identity and confirms the mint. If the audit refuses the draft,
     * throws `not_approved`, whose `cause` is the audit. A refused draft stays saved until a later draft with the same `id` replaces it.
     */
    async publish(
      draft: Types.SaveInput,
      onStep: (step: string, detail: string) => void = () => undefined,
    ): Promise<Types.Minted & { readonly id: number; readonly tx: Hex }> {
      const { id } = await this.save(draft);
      onStep("saved", `draft ${id}`);
      const { status, audit, metaUrl } = await this.runAudit(id);
      onStep("audited", `${status}, score ${audit.score}`);
      if (status !== "approved") {
        const found = audit.issues.map(({ severity, detail }) => `${severity}: ${detail}`).join(" ");
        const message = `The audit of draft ${id} says ${status}. ${found}`;
        throw new MarketError("not_approved", message, { cause: audit });
      }
      const minted = await this.mint(id, metaUrl);
      onStep("live", minted.slug);
      return { id, ...minted };
    },
  };
}

export type Market = ReturnType<typeof openMarket>;

const makePagePath = (path: string, cursor: string | undefined) =>
  cursor === undefined ? path : `${path}?${new URLSearchParams({ cursor })}`;
const makePressPath = (slug: string) => `/api/presses/${encodeURIComponent(slug)}`;

const toSearchResult = ({ presses }: Types.PressList): Types.SearchResult => ({
  presses,
  stocks: [],
  authors: [],
});

/** Whether a report of a transaction may succeed if it is sent again within seconds. */
const mayReportAgain = ({ status = 0, code, retryAfter = 0 }: MarketError) =>
  code === "unreachable" ||
  code === "transaction_unconfirmed" ||
  status >= 500 ||
  (status === 429 && retryAfter <= longestPause);

/** The refusals of a mint's transaction after which the wallet must send another transaction, as the service's own message says. */
const finalRefusals: ReadonlySet<string> = new Set([
  "transaction_failed",
  "transaction_not_found",
  "wrong_sender",
  "no_identity_minted",
  "wrong_identity_uri",
  "transaction_already_used",
]);

/** Milliseconds that the client waits for the receipt of a transaction, depending on whether the node has answered to it. */
const receiptTimeoutMs = { answered: 180_000, unanswered: 10_000 };

function throwTxRefused(cause: unknown): never {
  const message = `The transaction was not sent: ${describeCause(cause)}`;
  throw new MarketError("transaction_refused", message, { cause });
}

/** viem's summary of an error, and the node's own words. */
const describeCause = (cause: unknown) =>
  cause instanceof BaseError ? [cause.shortMessage, cause.details].filter(Boolean).join(" ") : String(cause);

/**
 * Whether the node says that it does not take the transaction. A lost answer and every other error leave open whether the chain has the
 * transaction.
 */
const isRefusedByNode = (cause: unknown) =>
  cause instanceof BaseError &&
  cause.walk(
    (error) =>
      (error instanceof RpcRequestError && isRefusal(error)) ||
      (error instanceof HttpRequestError && error.status !== undefined && error.status < 500),
  ) !== null;

/**
 * JSON-RPC's errors for an invalid request, and EIP-1474's for a rejected transaction and a used-up limit, are refusals. The code
 * -32000 has many meanings. With -32603, the service's relay may say that it reached no node.
 */
function isRefusal({ code, details }: RpcRequestError): boolean {
  if (code === -32000) return /nonce too|insufficient|underpriced|intrinsic|fee cap|max fee/i.test(details);
  if (code === -32603) return details.startsWith("The transaction was not sent:");
  return [-32600, -32601, -32602, -32003, -32005].includes(code);
}

type TxAdvice = (hash: Hex) => string;

const adviseConfirmation =
  (id: number): TxAdvice =>
  (hash) =>
    ` To make draft ${id} live: presses confirm ${id} ${hash}`;

/**
 * Adds the transaction to the error, so that nobody sends another one. A final refusal stays as it is. `doubt`: why it is
 * not known whether the transaction was sent.
 */
function addTxToError(error: unknown, hash: Hex, advise: TxAdvice = () => "", doubt?: string): unknown {
  if (!(error instanceof MarketError) || finalRefusals.has(error.code)) return error;
  const { code, message, money, status, retryAfter } = error;
  const state =
    doubt === undefined
      ? "was sent: do not send another."
      : `may have been sent: look for it before you send another. ${doubt}`;
  const said = `${message} The transaction ${hash} ${state}${advise(hash)}`;
  return new MarketError(code, said, { money, status, retryAfter, cause: error });
}

function readBody<Form>(answer: ServiceAnswer): Form;
function readBody(answer: ServiceAnswer): unknown {
  if (answer.status === 200 && typeof answer.body === "object" && answer.body !== null) return answer.body;
  throw makeRefusal(answer);
}
