import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { HDAccount } from "viem/accounts";
import { encodeFunctionData, numberToHex, parseAbi, parseTransaction } from "viem/utils";
import * as z from "zod";
import { type Address, type Hex, lower } from "../../core/chain/hex.ts";
import { settleCalldata } from "../../core/chain/permit2.ts";
import { count, type Tally } from "../../tests/core/payment/model/violation.ts";
import { dresses, permitsIn } from "../../tests/support/copies.ts";
import type { devnetClient } from "../../tests/support/devnet.ts";
import type { Ambush } from "../../tests/support/griefer.ts";
import { hidden, hider } from "../../tests/support/hider.ts";
import type { HttpClient } from "../../tests/support/http-payer.ts";
import { exactProxy, send, testAccount, treasury, usdg } from "../../tests/support/payment.ts";

const Text = z.object({ body: z.string() });

type CopierPlace = {
  readonly chain: ReturnType<typeof devnetClient>;
  readonly http: HttpClient;
  readonly pressId: number;
};

/**
 * Posts every permit that the chain shows back to the service, at once and in every dress that is to be had without
 * its payer, to be given the text or a session. Runs until `ended`; answers how often it was.
 */
export async function copy(
  { chain, http, pressId }: CopierPlace,
  tally: Tally,
  ended: AbortSignal,
): Promise<number> {
  let stolen = 0;
  let next = await chain.getBlockNumber({ cacheTime: 0 });
  while (!ended.aborted) {
    const head = await chain.getBlockNumber({ cacheTime: 0 });
    for (; next <= head; next += 1n) {
      const { transactions } = await chain.getBlock({ blockNumber: next, includeTransactions: true });
      for (const copied of transactions.flatMap(({ input }) => permitsIn(input)))
        stolen += await post(copied);
    }
    await sleep(5);
  }
  return stolen;

  async function post(copied: ReturnType<typeof permitsIn>[number]): Promise<number> {
    const leg = copied.permit.to === treasury ? "treasury" : "publisher";
    const headers = dresses(copied, await http.entryOf(leg, pressId));
    const answers = await Promise.all(headers.map((header) => http.pay(leg, pressId, header)));
    for (const { status } of answers) count(tally, `copier: answered ${status}`);
    return answers.filter(({ body, cookie }) => Text.safeParse(body).success || cookie !== undefined).length;
  }
}

/** Code that runs until its gas is used up: JUMPDEST, PUSH0, JUMP. */
const endless = "0x5b5f56";
/** What a caller asks the node to compute, in gas units. */
const gas = numberToHex(30_000_000);

/** Milliseconds between two claims: a refusal comes at once, and this process has to answer the readers as well. */
const pause = 250;

type FlooderPlace = {
  readonly http: HttpClient;
  /** A session with an approved press of its own. */
  readonly cookie: string;
  readonly pressId: number;
};

/** Asks the relay for batches of costly calls, one after the other, until `ended`. */
export async function floodRelay(
  { http }: Pick<FlooderPlace, "http">,
  tally: Tally,
  ended: AbortSignal,
): Promise<void> {
  const call = { data: endless, gas };
  const batch = Array.from({ length: 25 }, (_, id) => ({
    jsonrpc: "2.0",
    id,
    method: id % 5 === 0 ? "eth_estimateGas" : "eth_call",
    params: [call, "latest"],
  }));
  while (!ended.aborted) {
    const { status } = await http.ask("/api/rpc", { body: batch });
    count(tally, `flooder: relay answered ${status}`);
  }
}

/** Claims that transactions which never were have minted an approved press, until `ended`. */
export async function floodMints(
  { http, cookie, pressId }: FlooderPlace,
  tally: Tally,
  ended: AbortSignal,
): Promise<void> {
  while (!ended.aborted) {
    const body = { id: pressId, txHash: `0x${randomBytes(32).toString("hex")}` };
    const { status } = await http.ask("/api/press/minted", { body, cookie });
    count(tally, `flooder: mint answered ${status}`);
    await sleep(pause);
  }
}

/** Times that a late settler's payment is presented until it is broadcast. */
const broadcastTries = 30;

const [issuer, stranger] = [testAccount(0), testAccount(9)];
const usdgAbi = parseAbi(["function transfer(address to, uint256 value)"]);

type SettlerPlace = {
  readonly chain: ReturnType<typeof devnetClient>;
  readonly node: Ambush;
  readonly http: HttpClient;
  readonly pressId: number;
};

/** The calldata that moves so many base units of USDG. */
export function transferOf(to: Address, value: bigint): Hex {
  return encodeFunctionData({ abi: usdgAbi, functionName: "transfer", args: [to, value] });
}

/**
 * A reader's money is gone when the service broadcasts the publisher's leg, and back when a stranger settles that very
 * permit: openly, or through a contract that hides it. The permit has paid then, whatever the service was told.
 */
export async function settleLate(
  { chain, node, http, pressId }: SettlerPlace,
  {
    account,
    units,
    how,
  }: { readonly account: HDAccount; readonly units: bigint; readonly how: "openly" | "hidden" },
  tally: Tally,
): Promise<void> {
  const wallet = lower(account.address);
  const { header, permit, signature } = await http.signed(account, "publisher", pressId);
  node.around = async (raw) => {
    const { data = "0x" } = parseTransaction(raw);
    if (permitsIn(data).some(({ permit: { from } }) => from === wallet)) {
      node.around = undefined;
      await send({ client: chain }, account, usdg, transferOf(lower(stranger.address), units));
    }
    return async () => undefined;
  };
  // Until the service has broadcast it, nobody but the payer has the permit.
  for (let tries = 0; tries < broadcastTries; tries += 1) {
    const { status, headers } = await http.pay("publisher", pressId, header);
    count(tally, `late settler: the service's own settlement answered ${status}`);
    if (node.around === undefined) break;
    await sleep(Number(headers.get("retry-after") ?? 1) * 1000);
  }
  await send({ client: chain }, issuer, usdg, transferOf(wallet, units));
  const call = settleCalldata(permit, signature);
  if (how === "openly") await send({ client: chain }, stranger, exactProxy, call);
  else await send({ client: chain }, stranger, hider, hidden(call));
  count(tally, `late settler: settled ${how}`);
}
