import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { manuscriptBytes, mostManuscripts } from "../../core/manuscript/schema.ts";
import { save } from "../../core/press/own.ts";
import {
  discardManuscript as discardHandler,
  keepManuscript as keepHandler,
  readManuscript as readHandler,
} from "../../functions/http/edit.ts";
import { save as saveHandler } from "../../functions/http/press.ts";
import { makeArticle, makeDraft, publisher, stranger } from "../core/press/newsroom.ts";
import { makeRefusal } from "../support/http-payer.ts";
import { startPart } from "../support/provide.ts";
import { invoke } from "./lib/call.ts";
import { cookie, makePorts, openSession, other } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

const Version = z.object({ updatedAt: z.string() });
const Id = z.object({ id: z.int() });

const stored = startPart(startStage);
beforeAll(async () => {
  // Loads the list of stocks, which the check of a save needs. A running service has already loaded the list of stocks.
  await save(makePorts(stored.table), stranger, makeDraft());
});

const half = {
  stock: "",
  headline: "Half a thought",
  preview: "",
  body: "Not a hundred and fifty words.\n",
  publisherName: "",
  priceText: "0.",
};
let count = 0;
let name = "";
beforeEach(() => {
  count += 1;
  name = `text-${count}`;
});

const keep = (changes: object = {}, sessionCookie = cookie) =>
  invoke(keepHandler, "press-keep", { cookies: [sessionCookie], body: { name, ...half, ...changes } });
const readText = (sessionCookie = cookie, textName = name) =>
  invoke(readHandler, "my-manuscript", { cookies: [sessionCookie], path: { name: textName } });
const discardText = (changes: object = {}, sessionCookie = cookie) =>
  invoke(discardHandler, "press-discard", { cookies: [sessionCookie], body: { name, ...changes } });
const savePress = (changes: object, sessionCookie = cookie) =>
  invoke(saveHandler, "press-save", { cookies: [sessionCookie], body: { ...makeArticle(), ...changes } });

async function storeSuccessfully(changes: object = {}): Promise<string> {
  const answer = await keep(changes);
  expect(answer.status).toBe(200);
  return Version.parse(answer.body).updatedAt;
}

/** Reads the table's items for a wallet's unfinished texts. */
async function listItems(owner = publisher) {
  const { manuscript, manuscriptText, manuscriptNames } = stored.table.entities;
  const [list, texts, names] = await Promise.all([
    manuscript.query.byPublisher({ publisher: owner }).go({ pages: "all" }),
    manuscriptText.query.byName({ publisher: owner }).go({ pages: "all" }),
    manuscriptNames.get({ publisher: owner }).go(),
  ]);
  return { list: list.data, texts: texts.data, names: [...(names.data?.names ?? [])] };
}

describe("an unfinished text is stored for all devices of its writer", () => {
  test("an unfinished text is stored byte for byte and appears on the writer's other devices", async () => {
    const odd = {
      ...half,
      body: `${half.body}\ud83d \u0000 "quoted" \\ud800 |a|b|\r\n\t `,
      priceText: " 1e2",
    };
    const updatedAt = await storeSuccessfully(odd);
    expect(await readText()).toMatchObject({
      status: 200,
      headers: { "cache-control": "private, no-store" },
      body: { name, updatedAt, press: null, contents: odd },
    });
  });

  test("an unfinished text names the AI draft that it came from, so that the text stays marked as an AI text", async () => {
    const source = { title: "A report", source: "Nasdaq", link: "https://www.nasdaq.com/a" };
    const generation = { id: 3, stock: "AAPL", sources: [source] };
    await storeSuccessfully({ generation });
    expect(await readText()).toMatchObject({ body: { contents: { generation } } });
    const script = { ...generation, sources: [{ ...source, link: "javascript:alert(1)" }] };
    expect(await keep({ generation: script })).toMatchObject({ status: 400 });
  });

  test("a save of an unfinished text changes no press and uses up no quota of saves", async () => {
    const { id } = Id.parse((await savePress({})).body);
    const readPress = () => stored.table.entities.press.get({ id }).go({ consistent: true });
    const readQuotas = () => stored.table.entities.quota.query.byDay({ wallet: publisher }).go();
    const before = [await readPress(), await readQuotas()];
    const { updatedAt } = z.object({ updatedAt: z.string() }).parse((await readPress()).data);
    await storeSuccessfully({ base: updatedAt });
    expect([await readPress(), await readQuotas()]).toEqual(before);
  });
});

describe("concurrent versions of an unfinished text do not overwrite each other", () => {
  test("a save from an outdated tab, or without a version, never overwrites a stored version", async () => {
    const first = await storeSuccessfully();
    const second = await storeSuccessfully({ body: "Newer.", updatedAt: first });
    expect(second > first).toBe(true);
    for (const stale of [{ updatedAt: first }, {}]) {
      expect(await keep({ body: "Older.", ...stale })).toMatchObject({
        status: 409,
        body: { code: "stale_manuscript", updatedAt: second },
      });
    }
    expect(await readText()).toMatchObject({ body: { updatedAt: second, contents: { body: "Newer." } } });
  });

  test("if many concurrent saves are based on the same version, exactly one of these saves is stored", async () => {
    const updatedAt = await storeSuccessfully();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, at) => keep({ body: `Tab ${at}`, updatedAt })),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(409)]);
    const winner = answers.findIndex(({ status }) => status === 200);
    expect(await readText()).toMatchObject({ body: { contents: { body: `Tab ${winner}` } } });
  });

  test("a text that was discarded elsewhere is reported as discarded, and can be stored again", async () => {
    const updatedAt = await storeSuccessfully();
    expect(await discardText()).toMatchObject({ status: 200, body: { discarded: true } });
    const refused = await keep({ updatedAt });
    expect(refused).toMatchObject(makeRefusal(409, "stale_manuscript"));
    expect(refused.body).not.toHaveProperty("updatedAt");
    expect((await readText()).status).toBe(404);
    await storeSuccessfully();
    expect((await readText()).status).toBe(200);
  });

  test("a discard that names a version deletes no newer version, and a repeated discard succeeds", async () => {
    const first = await storeSuccessfully();
    await storeSuccessfully({ body: "Newer.", updatedAt: first });
    expect(await discardText({ updatedAt: first })).toMatchObject(makeRefusal(409, "stale_manuscript"));
    expect(await readText()).toMatchObject({ body: { contents: { body: "Newer." } } });
    for (let times = 0; times < 2; times += 1) expect((await discardText()).status).toBe(200);
  });
});

test.each([1_002, 2_000])(
  "a request for a name of %i characters gets the answer for an unknown text, because no name is so long",
  async (length) => {
    expect(await readText(cookie, "x".repeat(length))).toMatchObject(makeRefusal(404, "unknown_manuscript"));
  },
);

test("another wallet cannot read, overwrite or discard an unfinished text, and cannot learn that the text exists", async () => {
  const updatedAt = await storeSuccessfully();
  expect(await readText(other)).toMatchObject(makeRefusal(404, "unknown_manuscript"));
  expect(await keep({ body: "Theirs.", updatedAt }, other)).toMatchObject({ status: 409 });
  expect((await keep({ body: "Theirs." }, other)).status).toBe(200);
  expect((await discardText({}, other)).status).toBe(200);
  const mine = { ...makeArticle(), manuscript: { name, updatedAt } };
  expect(await invoke(saveHandler, "press-save", { cookies: [other], body: mine })).toMatchObject({
    status: 409,
  });
  expect(await readText()).toMatchObject({ body: { updatedAt, contents: half } });
});

describe("a text that becomes a press is no longer unfinished", () => {
  test("a text that becomes a press is deleted in the same transaction, and other devices learn which press the text has become", async () => {
    const updatedAt = await storeSuccessfully();
    const saved = await savePress({ manuscript: { name, updatedAt } });
    const { id } = Id.parse(saved.body);
    expect(await readText()).toMatchObject({ status: 200, body: { press: id, contents: null } });
    expect(await keep({ updatedAt })).toMatchObject({
      status: 409,
      body: { code: "stale_manuscript", press: id },
    });
    const { names, texts } = await listItems();
    expect(names).not.toContain(name);
    expect(texts.map((text) => text.name)).not.toContain(name);
  });

  test("if two devices save the same text, or if a save is repeated, only one press is made", async () => {
    const updatedAt = await storeSuccessfully();
    const countPresses = async () =>
      (await stored.table.entities.press.query.byPublisher({ publisher }).go()).data.length;
    const before = await countPresses();
    const answers = await Promise.all([1, 2, 3].map(() => savePress({ manuscript: { name, updatedAt } })));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
    expect(await countPresses()).toBe(before + 1);
  });

  test("a text stays unfinished, and no press is made, if the save names an older version", async () => {
    const first = await storeSuccessfully();
    const second = await storeSuccessfully({ body: "Newer.", updatedAt: first });
    expect(await savePress({ manuscript: { name, updatedAt: first } })).toMatchObject({
      status: 409,
      body: { code: "stale_manuscript", updatedAt: second },
    });
    expect(await readText()).toMatchObject({ body: { contents: { body: "Newer." } } });
  });

  test("a successful save of a draft deletes the unfinished edit that the save names, and a refused save keeps the unfinished edit", async () => {
    const { id } = Id.parse((await savePress({})).body);
    const first = await storeSuccessfully();
    const second = await storeSuccessfully({ body: "Newer.", updatedAt: first });
    const makeChanges = (updatedAt: string) => ({ id, manuscript: { name, updatedAt } });
    expect(await savePress(makeChanges(first))).toMatchObject(makeRefusal(409, "stale_manuscript"));
    const stale = { ...makeChanges(second), updatedAt: "2020-01-01T00:00:00.000Z" };
    expect(await savePress(stale)).toMatchObject(makeRefusal(409, "stale_draft"));
    expect((await readText()).status).toBe(200);
    expect(await savePress(makeChanges(second))).toMatchObject({ status: 200, body: { id } });
    expect((await readText()).status).toBe(404);
    // The answer to the first save was lost, so the save is repeated and succeeds again.
    expect(await savePress(makeChanges(second))).toMatchObject({ status: 200 });
  });
});

describe("the size and the number of unfinished texts are limited", () => {
  test("an unfinished text of the maximum size fits into the table, whatever characters it contains", async () => {
    const room = manuscriptBytes - JSON.stringify({ ...half, body: "" }).length;
    const largest = "ж".repeat(Math.floor(room / 2));
    await storeSuccessfully({ body: largest });
    expect(await readText()).toMatchObject({ body: { contents: { body: largest } } });
    for (const tooLarge of [{ body: `${largest}жж` }, { headline: "x".repeat(room + 1) }]) {
      expect(await keep(tooLarge)).toMatchObject(makeRefusal(400, "invalid_input"));
    }
    // Each control character takes six bytes in JSON.
    expect((await keep({ body: "\u0001".repeat(room / 6 + 1) })).status).toBe(400);
    expect((await keep({ body: "x".repeat(300_000) })).status).toBe(413);
  });

  test.each(["", "UPPER", "a b", "../x", "x".repeat(41), "a#b", 7])(
    "%j is refused as the name of a text",
    async (wrong) => {
      expect((await keep({ name: wrong })).status).toBe(400);
    },
  );

  test("a wallet may store at most a hundred unfinished texts, even by concurrent saves, and a deleted text makes room for another", async () => {
    const crowd = "0x00000000000000000000000000000000000000c3";
    const as = await openSession(stored.table, crowd);
    const start = mostManuscripts - 3;
    const names = Array.from({ length: start }, (_, at) => `text-${at}`);
    await stored.table.entities.manuscriptNames.put({ publisher: crowd, names }).go();
    const put = (each: string) => keep({ name: each }, as);
    const race = await Promise.all(Array.from({ length: 8 }, (_, at) => put(`late-${at}`)));
    expect(race.map(({ status }) => status).toSorted()).toEqual([200, 200, 200, ...Array(5).fill(409)]);
    expect(race.find(({ status }) => status === 409)).toMatchObject({
      body: { code: "too_many_manuscripts" },
    });
    const { names: full, list, texts } = await listItems(crowd);
    expect([full.length, list.length, texts.length]).toEqual([mostManuscripts, 3, 3]);
    // If the text to discard does not exist, the discard frees no room for another text.
    for (let times = 0; times < 3; times += 1)
      expect((await discardText({ name: "late-none" }, as)).status).toBe(200);
    expect((await put("later")).status).toBe(409);
    expect((await discardText({ name: list[0]?.name }, as)).status).toBe(200);
    expect([(await put("later")).status, (await put("latest")).status]).toEqual([200, 409]);
  });
});
