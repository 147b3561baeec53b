import { expect } from "vitest";
import * as z from "zod";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { makeRefusal } from "../../support/http-payer.ts";
import { prove, proveEach } from "../holds.ts";
import { article, save, saveSuccessfully } from "../world/desk.ts";
import { makeOnce } from "../world/scene.ts";
import { makeWords, readOwnPress, updateDraft } from "./office.ts";

const visitor = getTestAccount(2);

/** The tests of all rows update this draft. */
const draft = makeOnce(() => saveSuccessfully(visitor));

const Refused = z.object({ issues: z.array(z.object({ path: z.string() })) });

/** Expects that a save is refused and that the answer names only the given field. */
async function expectRefused(field: string, value: unknown): Promise<void> {
  const { status, body } = await updateDraft(await draft(), { [field]: value }, visitor);
  expect({ field, value, status }).toEqual({ field, value, status: 400 });
  expect(Refused.parse(body).issues.map(({ path }) => path)).toEqual([field]);
}

async function expectAccepted(field: string, value: unknown): Promise<void> {
  const { status, text } = await updateDraft(await draft(), { [field]: value }, visitor);
  expect({ field, value, status, text }).toMatchObject({ status: 200 });
}

type Field = {
  readonly name: string;
  readonly taken: readonly unknown[];
  readonly refused: readonly unknown[];
};

const makeLetters = (count: number) => "x".repeat(count);
const headline = {
  name: "headline",
  taken: [makeLetters(8), makeLetters(90)],
  refused: [makeLetters(7), makeLetters(91)],
};
const preview = {
  name: "preview",
  taken: [makeLetters(80), makeLetters(400)],
  refused: [makeLetters(79), makeLetters(401)],
};
const body = { name: "body", taken: [makeWords(150)], refused: [makeWords(149), ""] };

proveEach<Field>(
  {
    "2.9 headline": headline,
    "2.9 priceUsdg": { name: "priceUsdg", taken: [0.01, 1.5, 1000], refused: [0, -1, "1.5", 0.0000001] },
    "2.9 publisherName": { name: "publisherName", taken: ["A"], refused: ["", 5] },
    "2.9 preview": preview,
    "2.9 body": body,
    "8 headline length": headline,
    "8 preview length": preview,
    "8 body length": body,
  },
  async ({ name, taken, refused }) => {
    for (const value of taken) await expectAccepted(name, value);
    // Each listed field is required, so a save without the field must be refused.
    for (const value of [...refused, undefined]) await expectRefused(name, value);
  },
);

prove("2.9 stock", async () => {
  await expectAccepted("stock", "NVDA");
  for (const value of [5, "", undefined]) await expectRefused("stock", value);
  expect(await updateDraft(await draft(), { stock: "MOON" }, visitor)).toMatchObject(
    makeRefusal(400, "unknown_stock"),
  );
});

prove("2.9 id", async () => {
  const [first, second] = [await saveSuccessfully(visitor), await saveSuccessfully(visitor)];
  expect(second).not.toBe(first);
  const answer = await save(visitor, { ...article, id: first, headline: "Written over with another one" });
  expect(answer).toMatchObject({ status: 200, body: { id: first } });
  expect((await readOwnPress(visitor, first)).press.headline).toBe("Written over with another one");
  expect((await readOwnPress(visitor, second)).press.headline).toBe(article.headline);
  expect((await save(visitor, { ...article, id: "1" })).status).toBe(400);
  // A program may send back everything that it was given, with or without the id.
  const { press: given, body: text } = await readOwnPress(visitor, first);
  for (const id of [first, undefined])
    expect(await save(visitor, { ...given, body: text, id })).toMatchObject({ status: 200 });
});
