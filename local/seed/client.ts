import { createClient, http, type LocalAccount } from "viem";
import { waitForTransactionReceipt, writeContract } from "viem/actions";
import * as z from "zod";
import { describeChain } from "../../client/chain.ts";
import { systemClock } from "../../core/adapter/system.ts";
import { Audited } from "../../core/audit/schema.ts";
import { identityAbi } from "../../core/chain/abi.ts";
import { type Deployment, mainnet } from "../../core/chain/deployment.ts";
import { Minted } from "../../core/mint/schema.ts";
import { poll } from "../../core/port/clock.ts";
import { Saved } from "../../core/press/schema.ts";
import { Challenge } from "../../core/session/schema.ts";
import type { Article } from "./articles.ts";

/** Calls the API as the site's pages do: with the site's origin, and with the session if the client has one. */
type SeedClient = {
  /** Sends the body, and parses an answer with the status 200. If the status is not 200, throws Error with the answer's text. */
  readonly post: <Answer>(path: string, body: unknown, form: z.ZodType<Answer>) => Promise<Answer>;
};

export type LocalSite = { readonly origin: string; readonly signal: AbortSignal };

const Signed = z.object({ address: z.string() });

/** The maximum number of attempts for a request that is answered with status 503. */
const maxAttempts = 20;

/** Opens a session for the account by a sign-in (specification §4.2). */
export async function signIn(site: LocalSite, account: LocalAccount): Promise<SeedClient> {
  const { address } = account;
  const { nonce, message } = await read(await post(site, "/api/auth/nonce", { address }), Challenge);
  const signature = await account.signMessage({ message });
  const answer = await post(site, "/api/auth/verify", { address, nonce, signature });
  await read(answer, Signed);
  return openClient(site, readCookies(answer));
}

/** Returns the cookies that an answer sets, in the form of a request's `Cookie` header. */
export function readCookies(answer: Response): string {
  return answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
}

/** Makes a client of the site's API. A client without `cookie` has no session. */
export function openClient(site: LocalSite, cookie?: string): SeedClient {
  return {
    post: async (path, body, form) => read(await post(site, path, body, cookie), form),
  };
}

/**
 * Sends a request. A 503 means that a mint is pending or that the service is busy, so the request is sent again after the time that
 * `Retry-After` gives.
 */
async function post(
  { origin, signal }: LocalSite,
  path: string,
  body: unknown,
  cookie?: string,
): Promise<Response> {
  let retryAfterMs = 0;
  const options = { tries: maxAttempts, pauseMs: () => retryAfterMs };
  const answer = await poll(systemClock, options, async (tried) => {
    const found = await fetch(origin + path, {
      method: "POST",
      signal,
      headers: { "content-type": "application/json", origin, ...(cookie !== undefined && { cookie }) },
      body: JSON.stringify(body),
    });
    const retryAfter = found.headers.get("retry-after");
    if (tried === maxAttempts || found.status !== 503 || retryAfter === null) return found;
    retryAfterMs = Number(retryAfter) * 1000;
    return undefined;
  });
  if (answer === undefined) throw new Error(`${path} was not answered.`);
  return answer;
}

async function read<Answer>(answer: Response, form: z.ZodType<Answer>): Promise<Answer> {
  const text = await answer.text();
  if (answer.status !== 200)
    throw new Error(`${new URL(answer.url).pathname} answered with ${answer.status}: ${text}`);
  return form.parse(JSON.parse(text));
}

/** The chain of a service, and the contracts that the service's users call. */
export type ChainPlace = Pick<Deployment, "chainId" | "name"> & {
  readonly contracts: Omit<Deployment["contracts"], "exactProxy">;
};

/**
 * Each call has its own connection, because the devnet closes idle connections, and viem does not send a transaction again after an error.
 */
export const ownConnection = { fetchOptions: { headers: { connection: "close" } } } as const;

/**
 * A client for a chain. The client expects that the chain's node answers fast. If no `place` is given, the client uses mainnet's chain id,
 * which the devnet also has.
 */
export function makeChainClient(rpcUrl: string, place: ChainPlace = mainnet) {
  const chain = describeChain(place);
  return createClient({ chain, transport: http(rpcUrl, ownConnection), pollingInterval: 50 });
}

type Publisher = {
  readonly client: SeedClient;
  readonly account: LocalAccount;
  readonly publisherName: string;
  /** The chain on which the press is minted. */
  readonly rpcUrl: string;
  /**
   * The chain's name and contracts. If no `place` is given, the chain has mainnet's name and contracts. The devnet's name and contracts are
   * the same as mainnet's.
   */
  readonly place?: ChainPlace;
};

/**
 * Publishes an article: saves it, requests the audit, mints the press and confirms the mint (specification §4.8). Calls `tell` after the
 * save, after the audit and after the mint. Throws Error if the audit does not approve the article.
 */
export async function publish(
  publisher: Publisher,
  article: Article,
  tell: (what: string, detail: string) => void = () => undefined,
): Promise<Minted> {
  const { client, account, publisherName, rpcUrl, place = mainnet } = publisher;
  const { id } = await client.post("/api/press/save", { ...article, publisherName }, Saved);
  tell("Saved a draft", article.headline);
  const { status, audit, metaUrl } = await client.post("/api/press/audit", { id }, Audited);
  if (status !== "approved") {
    throw new Error(`The audit of "${article.headline}" says ${status}: ${JSON.stringify(audit.issues)}`);
  }
  const chain = makeChainClient(rpcUrl, place);
  tell("Audited", `${status}, score ${audit.score}: ${audit.summary}`);
  const txHash = await writeContract(chain, {
    account,
    address: place.contracts.identityRegistry,
    abi: identityAbi,
    functionName: "register",
    args: [metaUrl],
  });
  await waitForTransactionReceipt(chain, { hash: txHash });
  tell("Minted", txHash);
  return client.post("/api/press/minted", { id, txHash }, Minted);
}
