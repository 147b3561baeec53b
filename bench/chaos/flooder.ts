import { randomBytes } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { numberToHex } from "viem/utils";
import { count, type Tally } from "../../tests/core/payment/model/violation.ts";
import type { HttpClient } from "../../tests/support/http-payer.ts";

/** Code that runs until its gas is used up: JUMPDEST, PUSH0, JUMP. */
const endless = "0x5b5f56";
/** What a caller asks the node to compute, in gas units. */
const gas = numberToHex(30_000_000);

/** Milliseconds between two claims: a refusal comes at once, and this process has to answer the readers as well. */
const pause = 250;

type Place = {
  readonly http: HttpClient;
  /** A session with an approved press of its own. */
  readonly cookie: string;
  readonly pressId: number;
};

/** Asks the relay for batches of costly calls, one after the other, until `ended`. */
export async function floodRelay(
  { http }: Pick<Place, "http">,
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
  { http, cookie, pressId }: Place,
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
