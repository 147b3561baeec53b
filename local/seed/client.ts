import { setTimeout as delay } from "node:timers/promises";
import { createClient, defineChain, http, type LocalAccount } from "viem";
import * as z from "zod";
import { type Deployment, mainnet } from "../../core/chain/deployment.ts";

/** The site's API as its own pages use it: with their origin, and a session where there is one. */
export type Client = {
  /**
   * Sends the body and reads a 200 answer of that form, again while a mint is pending. Throws an Error with the answer's
   * text for any other.
   */
  readonly post: <Answer>(path: string, body: unknown, form: z.ZodType<Answer>) => Promise<Answer>;
};

export type Site = { readonly origin: string; readonly signal: AbortSignal };

const Challenge = z.object({ nonce: z.string(), message: z.string() });
const Signed = z.object({ address: z.string() });

/** Rounds of waiting for a mint that is pending. */
const patience = 20;

/** Signs the account in (specification §4.2). */
export async function signIn(site: Site, account: LocalAccount): Promise<Client> {
  const { address } = account;
  const { nonce, message } = await read(await post(site, "/api/auth/nonce", { address }), Challenge);
  const signature = await account.signMessage({ message });
  const answer = await post(site, "/api/auth/verify", { address, nonce, signature });
  await read(answer, Signed);
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(";")[0])
    .join("; ");
  return visit(site, cookie);
}

/** Somebody who has not signed in, unless they bring a session's cookie. */
export function visit(site: Site, cookie?: string): Client {
  return {
    async post(path, body, form) {
      for (let round = 1; ; round++) {
        const found = await post(site, path, body, cookie);
        if (round === patience || !(await isPending(found))) return read(found, form);
        await delay(Number(found.headers.get("retry-after") ?? 1) * 1000, undefined, { signal: site.signal });
      }
    },
  };
}

const Pending = z.object({ code: z.literal("mint_pending") });

async function isPending(answer: Response): Promise<boolean> {
  return answer.status === 503 && Pending.safeParse(await answer.clone().json()).success;
}

function post({ origin, signal }: Site, path: string, body: unknown, cookie?: string): Promise<Response> {
  return fetch(origin + path, {
    method: "POST",
    signal,
    headers: { "content-type": "application/json", origin, ...(cookie !== undefined && { cookie }) },
    body: JSON.stringify(body),
  });
}

async function read<Answer>(answer: Response, form: z.ZodType<Answer>): Promise<Answer> {
  const text = await answer.text();
  if (answer.status !== 200)
    throw new Error(`${new URL(answer.url).pathname} answered ${answer.status}: ${text}`);
  return form.parse(JSON.parse(text));
}

/** A service's chain, and the contracts that its users meet there. */
export type Place = Pick<Deployment, "chainId" | "name"> & {
  readonly contracts: Omit<Deployment["contracts"], "exactProxy">;
};

/** The chain at this address, which answers fast: the devnet unless told otherwise. */
export function chainClient(rpcUrl: string, { chainId, name }: Place = mainnet) {
  // viem's own list of chains takes 100 ms to load.
  const chain = defineChain({
    id: chainId,
    name,
    nativeCurrency: { name: "Ether", symbol: "ETH", decimals: 18 },
    rpcUrls: { default: { http: [] } },
  });
  return createClient({ chain, transport: http(rpcUrl), pollingInterval: 50 });
}
