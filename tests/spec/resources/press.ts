import { parseEventLogs } from "viem/utils";
import { expect } from "vitest";
import * as z from "zod";
import { identityAbi } from "../../../core/chain/abi.ts";
import { mainnet } from "../../../core/chain/deployment.ts";
import { HashInput, lower } from "../../../core/chain/hex.ts";
import { getPlatformAccount, platformIndexes } from "../../../local/devnet/accounts.ts";
import { prove, proveEach } from "../holds.ts";
import { ask, read, wire } from "../world/ask.ts";
import { article, disclosed, holder } from "../world/desk.ts";
import { chain } from "../world/service.ts";
import { seeded } from "./seeded.ts";
import { listed, type Press, shelf } from "./shelf.ts";

type ListedPress = z.infer<typeof Press>;

/** Searches the list of presses for the press that was bought and voted on. */
proveEach<(press: ListedPress) => unknown>(
  {
    "2.1 headline": ({ headline }) => expect(headline).toBe(article.headline),
    "2.1 preview": ({ preview }) => expect(preview).toBe(article.preview),
    "2.1 stock": ({ stock }) => expect(stock).toBe("AAPL"),
    "2.1 publisher": ({ publisher }) => expect(publisher).toBe(lower(holder.address)),
    "2.1 publisherName": ({ publisherName }) => expect(publisherName).toBe("The Spec Desk"),
    "2.1 priceUsdg": ({ priceUsdg }) => expect(priceUsdg).toBe(0.123457),
    "2.1 priceUnits": ({ priceUnits }) => expect(priceUnits).toBe("123457"),
    "2.1 votes": ({ votes }) => expect(votes).toEqual({ up: 1, down: 1 }),
    "2.1 tags": ({ tags }) => expect(tags).toEqual({ accurate: 1 }),
    "2.1 reads": ({ reads }) => expect(reads).toBe(1),
  },
  async (check) => {
    check((await listed()).held);
  },
);

prove("2.1 id", async () => {
  expect((await listed()).held.id).toBe((await shelf()).held.id);
});

prove("2.1 pressId", async () => {
  const { pressId, mintTx } = (await listed()).held;
  const { logs } = await (await chain()).getTransactionReceipt({ hash: HashInput.parse(mintTx) });
  const registry = logs.filter(({ address }) => lower(address) === mainnet.contracts.identityRegistry);
  const minted = parseEventLogs({ abi: identityAbi, eventName: "Registered", logs: registry });
  expect(minted.map(({ args }) => args.agentId)).toEqual([BigInt(pressId)]);
  const offered = await ask("/api/pay/treasury", { body: { pressId } });
  expect(offered.status).toBe(402);
});

prove("2.1 slug", async () => {
  const { slug, id } = (await listed()).held;
  expect(slug).toBe((await shelf()).held.slug);
  expect(slug).toMatch(/^[a-z0-9-]+$/);
  expect(await read(z.looseObject({ press: z.looseObject({}) }), `/api/presses/${slug}`)).toMatchObject({
    press: { id },
  });
});

prove("2.1 publishedAt", async () => {
  const { begun, live } = await shelf();
  const { publishedAt } = (await listed()).held;
  expect(publishedAt).toMatch(wire.time);
  expect(publishedAt >= begun && publishedAt <= live).toBe(true);
});

prove("2.1 readMinutes", async () => {
  const words = disclosed.body.split(/\s+/).length;
  const { readMinutes } = (await listed()).held;
  expect(readMinutes).toBeGreaterThanOrEqual(1);
  expect(Math.abs(readMinutes - words / 220)).toBeLessThanOrEqual(1);
});

prove("2.1 auditScore", async () => {
  const { audited } = (await shelf()).held;
  const { auditScore } = (await listed()).held;
  expect(auditScore).toBe(audited.audit.score);
  expect(auditScore >= 0 && auditScore <= 100).toBe(true);
});

prove("2.1 aiAssisted", async () => {
  const { held, drafted } = await listed();
  expect([held.aiAssisted, drafted.aiAssisted]).toEqual([false, true]);
});

prove("2.1 publisherHolds", async () => {
  const { held, drafted } = await listed();
  expect([held.publisherHolds, drafted.publisherHolds]).toEqual([true, false]);
});

prove("2.1 priceAtPublish", async () => {
  const { mid } = await read(z.looseObject({ mid: z.number() }), "/api/quotes/AAPL");
  const { priceAtPublish } = (await listed()).held;
  // The test reads the market price twice, and the price moves by less than 0.1 % per minute.
  expect(Math.abs(priceAtPublish / mid - 1)).toBeLessThan(0.005);
});

prove("2.1 mintTx", async () => {
  const { mintTx } = (await listed()).held;
  expect(mintTx).toBe((await shelf()).held.mintTx);
  expect(mintTx).toMatch(wire.hash);
});

prove("2.1 auditTx", async () => {
  const { auditTx } = (await listed()).held;
  const { from, to } = await (await chain()).getTransaction({ hash: HashInput.parse(auditTx) });
  expect(lower(from)).toBe(lower(getPlatformAccount(platformIndexes.auditor).address));
  expect(to).toBe(mainnet.contracts.reputationRegistry);
  expect((await seeded()).every((press) => press.auditTx === null)).toBe(true);
});
