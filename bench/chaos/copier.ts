import { setTimeout as sleep } from "node:timers/promises";
import * as z from "zod";
import { count, type Tally } from "../../tests/core/payment/model/violation.ts";
import { dresses, permitsIn } from "../../tests/support/copies.ts";
import type { devnetClient } from "../../tests/support/devnet.ts";
import type { HttpClient } from "../../tests/support/http-payer.ts";
import { treasury } from "../../tests/support/payment.ts";

const Text = z.object({ body: z.string() });

type Place = {
  readonly chain: ReturnType<typeof devnetClient>;
  readonly http: HttpClient;
  readonly pressId: number;
};

/**
 * Posts every permit that the chain shows back to the service, at once and in every dress that is to be had without
 * its payer, to be given the text or a session. Runs until `ended`; answers how often it was.
 */
export async function copy(
  { chain, http, pressId }: Place,
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
