import { setTimeout as delay } from "node:timers/promises";
import * as z from "zod";
import { Standing } from "../../../core/rank/schema.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { ask, parseSessionCookie, read, signInOnce } from "../world/ask.ts";
import { voteAndCount } from "../world/ballot.ts";
import { article, disclosed, holder, publish, transferPress, writer } from "../world/desk.ts";
import { buy, makeReader } from "../world/purse.ts";
import { makeOnce } from "../world/scene.ts";
import { service } from "../world/service.ts";

/** The exact fields of a press in specification §2.1. */
export const Press = z.strictObject({
  id: z.int(),
  pressId: z.int(),
  slug: z.string(),
  headline: z.string(),
  preview: z.string(),
  stock: z.string(),
  publisher: z.string(),
  publisherName: z.string(),
  priceUsdg: z.number(),
  priceUnits: z.string(),
  publishedAt: z.string(),
  readMinutes: z.int(),
  auditScore: z.int(),
  aiAssisted: z.boolean(),
  publisherHolds: z.boolean(),
  priceAtPublish: z.number(),
  votes: z.strictObject({ up: z.int(), down: z.int() }),
  // Besides the specified fields, a press has a field with the votes of wallets that have unlocked the press.
  readerVotes: z.strictObject({ up: z.int(), down: z.int() }),
  // Besides the specified fields, a press has the fields by which it is ranked.
  standing: Standing,
  tags: z.record(z.string(), z.int()),
  reads: z.int(),
  // Besides the specified fields, a press has fields about its author and about the author's later changes.
  bylineAmbiguous: z.boolean(),
  newAuthorUntil: z.string().nullable(),
  corrections: z.tuple([]),
  priceChangedAt: z.null(),
  unlistedAt: z.null(),
  mintTx: z.string(),
  auditTx: z.string().nullable(),
});
const List = z.strictObject({ presses: z.array(Press) });
export const Detail = z.strictObject({
  press: z.strictObject({ ...Press.shape, priceNow: z.number(), payAt: z.unknown() }),
  audit: z.strictObject({
    verdict: z.string(),
    score: z.int(),
    summary: z.string(),
    engine: z.string(),
    auditedAt: z.string(),
  }),
  unlocked: z.boolean(),
  body: z.string().nullable(),
});

/** The account whose vote is against the press and has an unknown tag. */
export const critic = getTestAccount(7);
/** The account that gets the first press's NFT when the NFT is sold. */
const collector = getTestAccount(8);

/**
 * Two live presses. The first press is about a stock that the publisher holds. This press was bought, got votes, and its NFT was sold to
 * another owner; then the press's publisher voted too. The second press began as an AI draft.
 */
export const shelf = makeOnce(async () => {
  const begun = new Date().toISOString();
  const held = await publish(holder, disclosed);
  const live = new Date().toISOString();
  const drafted = await publishDraft();
  const reader = await makeReader();
  const purchase = await buy(reader, held.pressId);
  const { origin } = await service();
  const url = `${origin}/press/${held.slug}`;
  await voteAndCount(reader, held.pressId, { tag: "accurate", url });
  await voteAndCount(critic, held.pressId, { value: -1, tag: "a tag of my own", url });
  await transferPress(holder, held.pressId, collector.address);
  await voteAndCount(holder, held.pressId, { tag: "insightful", url });
  await waitForVerdict(held.slug);
  return { begun, live, held, drafted, reader, purchase, cookie: parseSessionCookie(purchase.publisher) };
});

/** Waits for the auditor's verdict, which comes shortly after the press is live. Another test needs the verdict. */
async function waitForVerdict(slug: string): Promise<void> {
  for (let look = 0; look < 1_200 && (await readDetail(slug)).press.auditTx === null; look += 1)
    await delay(50);
}

async function publishDraft() {
  const cookie = await signInOnce(writer);
  const order = { stock: "NVDA", angleId: "price" };
  await ask("/api/draft/angles", { body: { stock: "NVDA" }, cookie });
  const Generated = z.object({ generationId: z.int(), draft: z.object({ body: z.string() }).loose() });
  const generated = await read(Generated, "/api/draft/generate", { body: order, cookie });
  const { generationId, draft } = generated;
  return publish(writer, { ...article, ...draft, stock: "NVDA", generationId });
}

export async function list(query = ""): Promise<readonly z.infer<typeof Press>[]> {
  return (await read(List, `/api/presses${query}`)).presses;
}

export function readDetail(slug: string, cookie?: string): Promise<z.infer<typeof Detail>> {
  return read(Detail, `/api/presses/${slug}`, { cookie });
}

/** The items of both presses in the list, after the purchase, the votes and the sale. */
export const listed = makeOnce(async () => {
  const { held, drafted } = await shelf();
  const presses = await list();
  const find = (id: number) => presses.find((press) => press.id === id);
  const [first, second] = [find(held.id), find(drafted.id)];
  if (first === undefined || second === undefined) throw new Error("A live press is not listed.");
  return { held: first, drafted: second };
});
