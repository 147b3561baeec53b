import { expect } from "vitest";
import * as z from "zod";
import { lower } from "../../../core/chain/hex.ts";
import { prove, proveEach } from "../holds.ts";
import { read, signInOnce, wire } from "../world/ask.ts";
import { disclosed, holder } from "../world/desk.ts";
import { makeOnce } from "../world/scene.ts";
import { critic, listed, readDetail, shelf } from "./shelf.ts";

const locked = makeOnce(async () => readDetail((await shelf()).held.slug));

prove("2.2 shape", async () => {
  expect(Object.keys(await locked()).toSorted()).toEqual(["audit", "body", "press", "unlocked"]);
});

prove("2.2 press", async () => {
  const { priceNow: _, payAt: __, ...press } = (await locked()).press;
  expect(press).toEqual((await listed()).held);
});

prove("2.2 press.priceNow", async () => {
  const { mid } = await read(z.looseObject({ mid: z.number() }), "/api/quotes/AAPL");
  // The two stock prices may have been read a minute apart.
  expect(Math.abs((await locked()).press.priceNow / mid - 1)).toBeLessThan(0.005);
});

prove("2.2 audit", async () => {
  const names = ["auditedAt", "engine", "score", "summary", "verdict"];
  expect(Object.keys((await locked()).audit).toSorted()).toEqual(names);
});

prove("2.2 audit.verdict", async () => {
  const { verdict } = (await locked()).audit;
  expect(verdict).toBe("approve");
  expect(verdict).toBe((await shelf()).held.audited.audit.verdict);
});

prove("2.2 audit.score", async () => {
  expect((await locked()).audit.score).toBe((await listed()).held.auditScore);
});

proveEach<"summary" | "engine">(
  { "2.2 audit.summary": "summary", "2.2 audit.engine": "engine" },
  async (name) => {
    const { audit } = await locked();
    expect(audit[name]).not.toBe("");
    expect(audit[name]).toBe((await shelf()).held.audited.audit[name]);
  },
);

prove("2.2 audit.auditedAt", async () => {
  const { audit, press } = await locked();
  expect(audit.auditedAt).toMatch(wire.time);
  expect(audit.auditedAt >= (await shelf()).begun && audit.auditedAt <= press.publishedAt).toBe(true);
});

prove("2.2 unlocked", async () => {
  const { held, cookie } = await shelf();
  expect((await locked()).unlocked).toBe(false);
  expect((await readDetail(held.slug, cookie)).unlocked).toBe(true);
});

prove("2.2 body", async () => {
  const { held, cookie } = await shelf();
  expect((await locked()).body).toBeNull();
  expect((await readDetail(held.slug, cookie)).body).toBe(disclosed.body);
});

prove("2.2 body for the publisher", async () => {
  const { held } = await shelf();
  const own = await readDetail(held.slug, await signInOnce(holder));
  expect(own.press.publisher).toBe(lower(holder.address));
  expect(own).toMatchObject({ unlocked: true, body: disclosed.body });
});

prove("2.2 body for a payer", async () => {
  const { held, reader, cookie } = await shelf();
  const unlocked = { unlocked: true, body: disclosed.body };
  expect(await readDetail(held.slug, cookie)).toMatchObject(unlocked);
  expect(await readDetail(held.slug, await signInOnce(reader))).toMatchObject(unlocked);
});

prove("2.2 body otherwise", async () => {
  const { held, drafted, cookie } = await shelf();
  const closed = { unlocked: false, body: null };
  expect(await readDetail(held.slug, await signInOnce(critic))).toMatchObject(closed);
  expect(await readDetail(held.slug, "session=nobody")).toMatchObject(closed);
  // A payment gives access to only one press.
  expect(await readDetail(drafted.slug, cookie)).toMatchObject(closed);
});
