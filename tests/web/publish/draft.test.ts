import { MutationObserver } from "@tanstack/react-query";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import * as z from "zod";
import { ApiProblem, queryClient } from "../../../web/src/api/request.ts";
import { requestGeneration } from "../../../web/src/publish/assist/assist.tsx";
import { runAudit } from "../../../web/src/publish/audit/panel.tsx";
import {
  type DraftPorts,
  type DraftState,
  isTextKept,
  isUnsaved,
  keepingPause,
  makeDraft,
  type SavedText,
  type StoredDraft,
  writingPause,
} from "../../../web/src/publish/editor/draft.ts";
import { discardUnfinished, openDraft, openNewDraft } from "../../../web/src/publish/editor/open-drafts.ts";
import { type DraftText, emptyText, TextForm } from "../../../web/src/publish/editor/text.ts";
import { makeSamplePress } from "../sample-press.ts";
import { article } from "./parts.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const blank: DraftState = {
  wallet: "0xa",
  local: "new",
  id: undefined,
  text: emptyText,
  generation: undefined,
  saved: undefined,
  kept: undefined,
  changedAt: undefined,
  phase: { name: "rest" },
  first: undefined,
  aside: [],
  locked: false,
  notKept: false,
};
const known: DraftState = { ...blank, id: 7, text: article, saved: { text: article, updatedAt: "t0" } };

const Unfinished = z.object({
  ...TextForm.unwrap().omit({ priceUsdg: true }).shape,
  priceText: z.string(),
  name: z.string(),
  updatedAt: z.string().optional(),
});

type SaveAnswer = { readonly id: number; readonly updatedAt?: string };
type Answer = (input: object, key: string | undefined) => Promise<SaveAnswer>;

/**
 * A draft, and a stand-in for the service with one stored draft. The stand-in answers like the real service unless `saves` gives another
 * answer.
 */
function makeDraftScene(
  start: DraftState,
  { answers = [], kept = true }: { readonly answers?: Answer[]; readonly kept?: boolean } = {},
) {
  let stored: SavedText | undefined = start.saved;
  let time = 0;
  let keys = 0;
  const answered = new Map<string, SaveAnswer>();
  const sent: object[] = [];
  const keptInputs: object[] = [];
  const unfinished = new Map<string, StoredDraft>();
  const copies: DraftState[] = [];
  const ports: DraftPorts = {
    save: async (body, key) => {
      const input = z.looseObject({}).parse(JSON.parse(body));
      sent.push(input);
      const answer = answers.shift();
      if (answer !== undefined) return answer(input, key);
      return acceptOnce(input, key);
    },
    newKey: () => {
      keys += 1;
      return `key-${keys}`;
    },
    read: async () => {
      if (stored === undefined) throw new ApiProblem("missing", "No such press.", { status: 404 });
      return stored;
    },
    keepUnfinished: async (input) => {
      keptInputs.push(input);
      const { name, updatedAt: base, priceText: priceUsdg, ...rest } = Unfinished.parse(input);
      const text = { ...rest, priceUsdg };
      const there = unfinished.get(name);
      if (there?.updatedAt !== base || there?.press !== undefined) throw makeProblem(409, "stale_manuscript");
      time += 1;
      const updatedAt = `k${time}`;
      unfinished.set(name, { updatedAt, press: undefined, text });
      return { updatedAt };
    },
    readUnfinished: async (name) => unfinished.get(name),
    discardUnfinished: async (name, updatedAt) => {
      if (unfinished.get(name)?.updatedAt !== updatedAt) throw makeProblem(409, "stale_manuscript");
      unfinished.delete(name);
    },
    keep: (state) => {
      copies.push(state);
      return kept;
    },
    onSaved: () => undefined,
    now: () => "now",
    after: (milliseconds, callback) => {
      const timer = setTimeout(callback, milliseconds);
      return () => clearTimeout(timer);
    },
  };
  const accept = (input: object) => {
    time += 1;
    const updatedAt = `t${time}`;
    stored = { text: { ...article, ...input, priceUsdg: "0.25" } satisfies DraftText, updatedAt };
    return "id" in input ? { id: 7, updatedAt } : { id: 7 };
  };
  /** As in the service, the second request with the same key gets the answer to the first request. */
  const acceptOnce = (input: object, key: string | undefined): SaveAnswer => {
    const earlier = answered.get(key ?? "");
    if (earlier !== undefined) return earlier;
    const saving = accept(input);
    if (key !== undefined) answered.set(key, saving);
    return saving;
  };
  const draft = makeDraft(start, ports);
  return {
    draft,
    acceptOnce,
    ports,
    sent,
    keptInputs,
    unfinished,
    copies,
    accept,
    elsewhere: (saved: SavedText) => {
      stored = saved;
    },
  };
}

/** Stubs the browser's storage, in which each entry is a property. */
function stubStorage(entries: Record<string, string> = {}): Record<string, string> {
  const stored: Record<string, string> = Object.create({
    getItem: (key: string) => stored[key] ?? null,
    setItem: (key: string, value: string) => Reflect.set(stored, key, value),
    removeItem: (key: string) => Reflect.deleteProperty(stored, key),
  });
  vi.stubGlobal("localStorage", Object.assign(stored, entries));
  return stored;
}

const pause = () => vi.advanceTimersByTimeAsync(writingPause);
const makeProblem = (status: number, code: string, more: object = {}) =>
  new ApiProblem("refused", "Why.", { status, code, ...more });
const unreachable = new ApiProblem("unreachable", "No answer.");

describe("every change of a text is saved", () => {
  test("a text is saved at the next pause in writing, together with the time of the draft that the text is based on", async () => {
    const { draft, sent } = makeDraftScene(known);
    draft.edit({ headline: "A headline that is new" });
    await vi.advanceTimersByTimeAsync(writingPause - 1);
    draft.edit({ headline: "A headline that is newer" });
    await vi.advanceTimersByTimeAsync(writingPause - 1);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([
      { ...article, priceUsdg: 0.25, headline: "A headline that is newer", id: 7, updatedAt: "t0" },
    ]);
    expect(isUnsaved(draft.state())).toBe(false);
    draft.edit({ headline: "A third headline" });
    await pause();
    expect(sent[1]).toMatchObject({ updatedAt: "t1" });
  });

  test("an unchanged text is never sent, because a save would withdraw the audit's approval", async () => {
    const { draft, sent } = makeDraftScene(known);
    draft.edit({ headline: ` ${article.headline}` });
    await draft.flush();
    await pause();
    expect(sent).toEqual([]);
  });

  test("the answer to the first save contains the draft's id and the service's time, and the next save sends both values", async () => {
    const { draft, sent } = makeDraftScene(blank);
    draft.edit(article);
    await pause();
    expect(sent[0]).not.toHaveProperty("id");
    expect(draft.state()).toMatchObject({ id: 7, saved: { updatedAt: "t1" }, phase: { name: "rest" } });
    draft.edit({ publisherName: "Another draft" });
    await pause();
    expect(sent[1]).toMatchObject({ id: 7, updatedAt: "t1", publisherName: "Another draft" });
  });

  test("only one save runs at a time, and text that is written meanwhile is sent with the next save", async () => {
    const answer = Promise.withResolvers<{ id: number; updatedAt: string }>();
    const { draft, sent } = makeDraftScene(known, { answers: [() => answer.promise] });
    draft.edit({ headline: "The first headline" });
    await pause();
    draft.edit({ headline: "The second headline" });
    await pause();
    expect(sent).toHaveLength(1);
    answer.resolve({ id: 7, updatedAt: "t9" });
    await pause();
    expect(sent[1]).toMatchObject({ headline: "The second headline", updatedAt: "t9" });
  });

  test("if a text was written from an AI draft, every save of the text names the AI draft as long as the stock stays the same", async () => {
    const { draft, sent } = makeDraftScene(known);
    draft.replace({ ...article, headline: "An AI's headline" }, { id: 3, stock: "NVDA", sources: [] });
    await pause();
    draft.edit({ headline: "An edited headline" });
    await pause();
    draft.edit({ stock: "AAPL" });
    await pause();
    expect(sent.map((input) => "generationId" in input && input.generationId)).toEqual([3, 3, false]);
  });

  test("a text cannot be edited while it is audited", async () => {
    const { draft, sent } = makeDraftScene(known);
    draft.lock(true);
    draft.edit({ headline: "Written too late" });
    await pause();
    expect(draft.state().text).toEqual(article);
    expect(sent).toEqual([]);
    draft.lock(false);
    draft.edit({ headline: "Written in time" });
    await pause();
    expect(sent).toHaveLength(1);
  });

  test("if the browser cannot store the text, the page warns the writer not to close the page", () => {
    const { draft } = makeDraftScene(known, { kept: false });
    draft.edit({ headline: "Kept by nobody" });
    expect(draft.state().notKept).toBe(true);
  });
});

describe("a manuscript is stored on the service", () => {
  const half: DraftText = { ...article, body: "Half a thought." };
  const pauseForKeeping = () => vi.advanceTimersByTimeAsync(keepingPause);

  test("a text is not stored as a manuscript if it contains only the byline that the editor filled in", async () => {
    const { draft, keptInputs } = makeDraftScene(blank);
    draft.edit({ publisherName: "Draft" });
    await pauseForKeeping();
    expect(keptInputs).toEqual([]);
  });

  test("a successful save of a manuscript's text deletes the manuscript", async () => {
    const { draft, sent } = makeDraftScene(blank);
    draft.edit(half);
    await pauseForKeeping();
    draft.edit({ body: article.body });
    await pause();
    expect(sent).toMatchObject([{ manuscript: { name: "new", updatedAt: "k1" } }]);
    expect(draft.state()).toMatchObject({ id: 7, kept: undefined, phase: { name: "rest" } });
  });

  test("an unsaved change of a press is stored separately under the press's id, and deleted when the change is undone", async () => {
    const { draft, keptInputs, unfinished } = makeDraftScene(known);
    draft.edit({ body: half.body });
    await pauseForKeeping();
    expect(keptInputs).toMatchObject([{ name: "press-7", base: "t0" }]);
    draft.edit({ body: article.body });
    await pause();
    expect([unfinished.size, draft.state().kept]).toEqual([0, undefined]);
  });

  test("a manuscript from another device is overwritten only at the writer's request", async () => {
    const theirs = { updatedAt: "k9", press: undefined, text: { ...half, headline: "The other device's" } };
    for (const choice of ["keepMine", "takeTheirs"] as const) {
      const { draft, keptInputs, unfinished } = makeDraftScene(blank);
      unfinished.set("new", theirs);
      draft.edit(half);
      await pauseForKeeping();
      expect(draft.state().phase).toMatchObject({ name: "conflict", of: "manuscript" });
      draft.edit({ preview: "Written on." });
      await draft.flush();
      expect(keptInputs).toHaveLength(1);
      draft[choice]();
      await pauseForKeeping();
      const headline = choice === "keepMine" ? half.headline : "The other device's";
      expect(unfinished.get("new")?.text?.headline).toBe(headline);
      expect(draft.state()).toMatchObject({ text: { headline }, phase: { name: "rest" } });
      expect(isTextKept(draft.state())).toBe(true);
    }
  });

  test("after a lost answer, a repeated save of a manuscript causes no conflict", async () => {
    const { draft, unfinished } = makeDraftScene(blank);
    unfinished.set("new", { updatedAt: "k5", press: undefined, text: half });
    draft.edit(half);
    await pauseForKeeping();
    expect(draft.state()).toMatchObject({ kept: { updatedAt: "k5" }, phase: { name: "rest" } });
  });

  test("if a manuscript has become a press on another device, the writer continues with the press", async () => {
    const { draft, unfinished, elsewhere } = makeDraftScene({
      ...blank,
      kept: { text: half, updatedAt: "k1" },
    });
    elsewhere({ text: article, updatedAt: "t5" });
    unfinished.set("new", { updatedAt: "k1", press: 7, text: undefined });
    draft.edit({ ...half, preview: "Written on." });
    await pauseForKeeping();
    expect(draft.state()).toMatchObject({ id: 7, phase: { name: "conflict", of: "press" } });
    draft.takeTheirs();
    await pauseForKeeping();
    expect(draft.state()).toMatchObject({ text: article, saved: { updatedAt: "t5" }, kept: undefined });
  });

  test("if a manuscript is discarded elsewhere while the writer changes it, the manuscript is stored again", async () => {
    const { draft, unfinished } = makeDraftScene({ ...blank, kept: { text: half, updatedAt: "k1" } });
    draft.edit({ ...half, preview: "Written on." });
    await pauseForKeeping();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(unfinished.get("new")?.text?.preview).toBe("Written on.");
    expect(isTextKept(draft.state())).toBe(true);
  });

  test("a discarded text is not stored again by its next save, and a text that could not be discarded is still saved", async () => {
    const stored = stubStorage();
    const sent: string[] = [];
    let discarding = Response.json({ error: "Why." }, { status: 503 });
    vi.stubGlobal("fetch", async (path: string) => {
      sent.push(path);
      return path === "/api/press/discard" ? discarding : Response.json({ error: "Why." }, { status: 503 });
    });
    const { edit, state } = openNewDraft("0xa", "unwanted", {}, null);
    edit(half);
    await pauseForKeeping();
    expect(state().phase.name).toBe("waiting");
    await expect(discardUnfinished("0xa", "unwanted")).rejects.toThrow("Why.");
    await pauseForKeeping();
    discarding = Response.json({ discarded: true });
    await discardUnfinished("0xa", "unwanted");
    await vi.advanceTimersByTimeAsync(120_000);
    const [keep, discard] = ["/api/press/keep", "/api/press/discard"];
    expect(sent).toEqual([keep, discard, keep, discard]);
    expect(Object.keys(stored)).toEqual([]);
  });

  test("a text that is saved as a draft while it is discarded can be edited", async () => {
    stubStorage();
    const saving = Promise.withResolvers<Response>();
    vi.stubGlobal("fetch", async (path: string) =>
      path === "/api/press/save" ? saving.promise : Response.json({ discarded: true }),
    );
    const { edit, flush, state } = openNewDraft("0xa", "late", {}, null);
    edit(article);
    void flush();
    const discarded = discardUnfinished("0xa", "late");
    saving.resolve(Response.json({ id: 9 }));
    await discarded;
    expect(state()).toMatchObject({ id: 9, locked: false });
  });

  test("a newer manuscript from another device is shown at once if nothing was written on this device, and an older manuscript is never shown", async () => {
    const { draft } = makeDraftScene(blank);
    draft.edit(half);
    await pauseForKeeping();
    const text = { ...half, body: "The other device's." };
    draft.refreshUnfinished({ updatedAt: "k0", press: undefined, text });
    expect(draft.state().text).toEqual(half);
    draft.refreshUnfinished({ updatedAt: "k2", press: undefined, text });
    expect(draft.state().text).toEqual(text);
    draft.edit({ preview: "Written here." });
    draft.refreshUnfinished({ updatedAt: "k3", press: undefined, text: half });
    expect(draft.state().text.preview).toBe("Written here.");
  });

  test("a manuscript that the service refused because of the quota is not sent again until its text changes", async () => {
    const refuseForQuota = () => Promise.reject(makeProblem(409, "too_many_manuscripts"));
    const { draft, ports } = makeDraftScene(blank);
    const refusal = vi.spyOn(ports, "keepUnfinished").mockImplementation(refuseForQuota);
    draft.edit(half);
    await vi.advanceTimersByTimeAsync(120_000);
    expect(refusal).toHaveBeenCalledTimes(1);
    expect(draft.state().phase).toMatchObject({ name: "refused" });
  });
});

describe("no text is lost when an answer of the service is lost", () => {
  test("a save whose answer was lost is repeated automatically, after a longer pause each time", async () => {
    const loseAnswer: Answer = () => Promise.reject(unreachable);
    const { draft, sent } = makeDraftScene(known, { answers: [loseAnswer, loseAnswer] });
    draft.edit({ headline: "A headline that is new" });
    await pause();
    expect(draft.state().phase.name).toBe("waiting");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(3_999);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(3);
    expect(isUnsaved(draft.state())).toBe(false);
  });

  test("a save that was answered with 503 is retried after the time in Retry-After", async () => {
    const busy = makeProblem(503, "table_busy", { retryAfter: 30 });
    const { draft, sent } = makeDraftScene(known, { answers: [() => Promise.reject(busy)] });
    draft.edit({ headline: "A headline that is new" });
    await pause();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(2);
  });

  test("if the answer to a first save is lost, the save is sent again under the same key, and a change made meanwhile follows as an update", async () => {
    const made = makeDraftScene(blank, {
      answers: [
        (input, key) => {
          made.acceptOnce(input, key);
          return Promise.reject(unreachable);
        },
      ],
    });
    made.draft.edit(article);
    await pause();
    expect(made.draft.state()).toMatchObject({ id: undefined, first: { key: "key-1" } });
    expect(made.copies.at(-1)?.first).toMatchObject({ key: "key-1", text: article });
    made.draft.edit({ headline: "A headline that was written since" });
    await pause();
    expect(made.sent[1]).toEqual(made.sent[0]);
    await pause();
    expect(made.sent[2]).toMatchObject({
      id: 7,
      updatedAt: "t1",
      headline: "A headline that was written since",
    });
    expect(made.draft.state()).toMatchObject({ id: 7, saved: { updatedAt: "t2" }, first: undefined });
  });

  test("after a refused first save, the corrected text is sent under a new key", async () => {
    const made = makeDraftScene(blank, {
      answers: [() => Promise.reject(makeProblem(400, "unknown_stock"))],
    });
    made.draft.edit(article);
    await pause();
    expect(made.draft.state().first).toBeUndefined();
    made.draft.edit({ headline: "A headline that is mended" });
    await pause();
    expect(made.sent).toHaveLength(2);
    expect(made.draft.state()).toMatchObject({ id: 7, saved: { updatedAt: "t1" } });
  });

  test("after a lost answer, a repeated update of a draft causes no conflict", async () => {
    const { draft, sent, elsewhere } = makeDraftScene(known, {
      answers: [() => Promise.reject(makeProblem(409, "stale_draft"))],
    });
    const text = { ...article, headline: "A headline that is new" };
    elsewhere({ text, updatedAt: "t5" });
    draft.edit({ headline: text.headline });
    await pause();
    expect(sent).toHaveLength(1);
    expect(draft.state()).toMatchObject({ phase: { name: "rest" }, saved: { updatedAt: "t5" } });
  });
});

describe("a draft that was saved elsewhere is not overwritten", () => {
  const theirs = { text: { ...article, headline: "What the other tab says" }, updatedAt: "t5" };

  async function makeConflict() {
    const made = makeDraftScene(known, { answers: [() => Promise.reject(makeProblem(409, "stale_draft"))] });
    made.elsewhere(theirs);
    made.draft.edit({ headline: "What this tab says" });
    await pause();
    expect(made.draft.state().phase).toEqual({ name: "conflict", of: "press", theirs });
    return made;
  }

  test("a writer who continues to write never overwrites a draft that was saved elsewhere", async () => {
    const { draft, sent } = await makeConflict();
    draft.edit({ headline: "What this tab goes on saying" });
    await pause();
    await draft.flush();
    expect(sent).toHaveLength(1);
    expect(draft.state().phase.name).toBe("conflict");
  });

  test("a conflict with a text of an earlier visit does not return after the writer has decided it, and the text is kept", () => {
    const text = { ...article, headline: "What an earlier visit wrote" };
    const copy = { wallet: "0xa", id: 7, base: "t0", text, changedAt: "t1", tab: "an earlier visit" };
    const stored = stubStorage({ "draft:0xa:7": JSON.stringify(copy) });
    const { stock, headline, preview, publisherName } = article;
    const press = {
      ...makeSamplePress(7, { stock, headline, preview, publisherName }),
      ...{ status: "draft" as const, earnedUsdg: 0, updatedAt: "t5" },
    };
    const { state, takeTheirs } = openDraft("0xa", { press, body: article.body }, null);
    expect(state().phase.name).toBe("conflict");
    takeTheirs();
    expect(state()).toMatchObject({ text: article, aside: [text] });
    expect(Object.keys(stored)).toEqual(["draft-aside:0xa:7"]);
  });

  test("a second conflict does not replace the text that was put aside at the first conflict", async () => {
    const { draft, ports } = await makeConflict();
    draft.takeTheirs();
    vi.spyOn(ports, "save").mockRejectedValueOnce(makeProblem(409, "stale_draft"));
    draft.edit({ headline: "What this tab says later" });
    await pause();
    draft.takeTheirs();
    draft.takeAside(1);
    draft.dropAside(1);
    const { text, aside } = draft.state();
    expect(text.headline).toBe("What this tab says");
    expect(aside.map(({ headline }) => headline)).toEqual(["What this tab says later"]);
  });

  test("a draft that was saved elsewhere is shown at once if nothing was written on this device", () => {
    const { draft } = makeDraftScene(known);
    draft.refresh(theirs);
    expect(draft.state().text).toEqual(theirs.text);
    // An older answer that arrives late is ignored.
    draft.refresh({ text: article, updatedAt: "t0" });
    expect(draft.state().text).toEqual(theirs.text);
    draft.edit({ headline: "Written here" });
    draft.refresh({ text: article, updatedAt: "t6" });
    expect(draft.state().text.headline).toBe("Written here");
  });
});

test("an AI draft is not requested during an audit, and no audit starts while an AI draft is being written, because the audit locks the text", async () => {
  const { draft } = makeDraftScene(known);
  const written = Promise.withResolvers<Response>();
  const refuse = async () => Response.json({ error: "Why." }, { status: 503 });
  vi.stubGlobal("fetch", vi.fn(refuse).mockReturnValueOnce(written.promise));
  vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => {}, removeItem: () => {} });
  const request = () =>
    new MutationObserver(queryClient, requestGeneration(draft)).mutate({ id: "price", about: "NVDA" });
  const writing = request();
  await expect(runAudit(draft)).rejects.toThrow("An AI draft that will replace the text is being written.");
  expect(draft.state().locked).toBe(false);
  written.resolve(await refuse());
  await expect(writing).rejects.toThrow("Why.");
  await expect(runAudit(draft)).rejects.toThrow("Why.");
  draft.lock(true);
  await expect(request()).rejects.toThrow("The text cannot be changed during the audit.");
});

test.each([
  ["while the AI draft was written", "Written meanwhile"],
  ["before the AI draft was requested", undefined],
])(
  "if the writer's text was written %s, the text that is kept beside the AI draft has the headline %s",
  async (_, meanwhile) => {
    const { draft } = makeDraftScene(known);
    const {
      stock,
      publisherName,
      priceUsdg: _price,
      ...written
    } = { ...article, headline: "What the AI wrote" };
    const answer = { generationId: 3, draft: written, sources: [], remaining: 4 };
    stubStorage();
    vi.stubGlobal("fetch", async () => {
      // The AI draft does not replace the price.
      draft.edit({ priceUsdg: "0.7", ...(meanwhile !== undefined && { headline: meanwhile }) });
      return Response.json(answer);
    });
    const writing = new MutationObserver(queryClient, requestGeneration(draft));
    const { before } = await writing.mutate({ id: "price", about: stock });
    expect(draft.state()).toMatchObject({
      text: { ...written, stock, publisherName, priceUsdg: "0.7" },
      generation: { id: 3 },
    });
    expect(draft.state().aside.map(({ headline }) => headline)).toEqual(
      meanwhile === undefined ? [] : [meanwhile],
    );
    draft.replace(before.text, before.generation);
    expect(draft.state().aside).toEqual([]);
  },
);

test.each([
  [400, "invalid_input"],
  [401, "sign_in_required"],
  [409, "press_live"],
  [429, "draft_limit"],
])("a save that was answered %i %s is not retried until the text changes", async (status, code) => {
  const { draft, sent } = makeDraftScene(known, {
    answers: [() => Promise.reject(makeProblem(status, code))],
  });
  draft.edit({ headline: "A headline that is new" });
  await pause();
  expect(draft.state().phase).toMatchObject({ name: "refused", problem: { code } });
  await vi.advanceTimersByTimeAsync(120_000);
  expect(sent).toHaveLength(1);
  draft.retry();
  await pause();
  expect(sent).toHaveLength(2);
  expect(draft.state().phase.name).toBe("rest");
});
