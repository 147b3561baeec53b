import type { LocalAccount } from "viem";
import * as z from "zod";
import { makeRelayClient, makeWallet } from "../../../local/demo/index.ts";
import { read } from "../world/ask.ts";
import { Tally } from "../world/ballot.ts";
import { article, publish, writer } from "../world/desk.ts";
import { makeOnce } from "../world/scene.ts";
import { service } from "../world/service.ts";

/** Two live presses of one publisher. */
export const press = makeOnce(() => publish(writer));
export const other = makeOnce(() =>
  publish(writer, { ...article, headline: "Another press about the same numbers" }),
);

/** Makes a new wallet with a little ETH for gas. */
export async function makeVoter(): Promise<LocalAccount> {
  return makeWallet(makeRelayClient((await service()).origin), 0n);
}

const Detail = z.looseObject({ press: z.looseObject(Tally.shape) });

/** Returns the publicly shown votes of a press. */
export async function readVotes(slug: string) {
  const { votes, tags } = (await read(Detail, `/api/presses/${slug}`)).press;
  return { votes, tags };
}
