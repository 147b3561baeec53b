import { expect, test } from "vitest";
import { makeModelError } from "../../../core/draft/error.ts";
import { generate, listAngles } from "../../../core/draft/index.ts";
import { readIdempotencyKey } from "../../../core/repeat/index.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { makeGoodDraft, makeNewcomer, makeNewsdesk, makeReport } from "./newsdesk.ts";

const onPrice = { stock: "AAPL", angleId: "price" };
const key = "draft-of-a-test";
const again = readIdempotencyKey("generate", key, onPrice);

const storage = startPart(() => startTestTable("embedded"));

test("if a request is repeated while its draft is being written, the answer states that the draft is not finished, and the model is not called again", async () => {
  const desk = makeNewsdesk(storage.table);
  const wallet = makeNewcomer();
  const repeats: unknown[] = [];
  desk.write = async () => {
    const repeat = await generate(desk, wallet, onPrice, again).catch((error: unknown) => error);
    repeats.push(repeat);
    return makeGoodDraft();
  };
  await generate(desk, wallet, onPrice, again);
  expect(repeats).toEqual([
    expect.objectContaining({ code: "still_writing", kind: "conflict", retryAfter: 5 }),
  ]);
  expect(desk.tasks).toHaveLength(1);
});

test("of ten simultaneous requests with one idempotency key, only one asks the model and is counted", async () => {
  const desk = makeNewsdesk(storage.table);
  const wallet = makeNewcomer();
  const answers = await Promise.allSettled(
    Array.from({ length: 10 }, () => generate(desk, wallet, onPrice, again)),
  );
  expect(desk.tasks).toHaveLength(1);
  const codes = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason.code] : []));
  expect(new Set(codes).size).toBeLessThanOrEqual(1);
  for (const code of codes) expect(code).toBe("still_writing");
  expect((await listAngles(desk, wallet, { stock: "AAPL" })).remaining).toBe(4);
});

test("after an outage or a crash, a request with the same idempotency key gets a draft, and only the draft that was written counts in the quota", async () => {
  const desk = makeNewsdesk(storage.table);
  const wallet = makeNewcomer();
  desk.write = async () => {
    throw makeModelError(new Error("down"));
  };
  await expect(generate(desk, wallet, onPrice, again)).rejects.toMatchObject({ code: "model_unavailable" });
  // The process dies while the model writes.
  desk.write = () => new Promise(() => undefined);
  void generate(desk, wallet, onPrice, again);
  await expect.poll(() => desk.tasks.length).toBe(2);
  desk.write = async () => makeGoodDraft();
  await expect(generate(desk, wallet, onPrice, again)).rejects.toMatchObject({ code: "still_writing" });
  await desk.clock.sleep(61_000);
  const written = await generate(desk, wallet, onPrice, again);
  expect(written.draft).toEqual(makeGoodDraft());
  expect((await listAngles(desk, wallet, { stock: "AAPL" })).remaining).toBe(4);
});

test("the angles for one idempotency key stay the same for a day, even if new reports arrive", async () => {
  const desk = makeNewsdesk(storage.table);
  const wallet = makeNewcomer();
  const asked = { stock: "AAPL" };
  const repeat = readIdempotencyKey("angles", key, asked);
  const first = await listAngles(desk, wallet, asked, repeat);
  desk.reports = [{ ...makeReport(2), title: "Something else" }];
  expect(await listAngles(desk, wallet, asked, repeat)).toEqual(first);
  expect((await listAngles(desk, wallet, asked)).angles).not.toEqual(first.angles);
  await desk.clock.sleep(24 * 3_600_000 + 1000);
  expect((await listAngles(desk, wallet, asked, repeat)).angles).not.toEqual(first.angles);
});
