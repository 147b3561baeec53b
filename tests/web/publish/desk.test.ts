import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { ApiProblem } from "../../../web/src/api/request.ts";
import {
  type DeskPorts,
  type DeskState,
  isUnsaved,
  makeDesk,
  type Saved,
  writingPause,
} from "../../../web/src/publish/editor/desk.ts";
import { emptyText, type Text } from "../../../web/src/publish/editor/text.ts";
import { article } from "./parts.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const blank: DeskState = {
  wallet: "0xa",
  local: "new",
  id: undefined,
  text: emptyText,
  generation: undefined,
  saved: undefined,
  changedAt: undefined,
  phase: { name: "rest" },
  uncertain: false,
  locked: false,
  notKept: false,
};
const known: DeskState = { ...blank, id: 7, text: article, saved: { text: article, updatedAt: "t0" } };

type Answer = () => Promise<{ readonly id: number; readonly updatedAt?: string }>;

/** A desk before a service that holds one draft and answers saves as told, else as the real one does. */
function scene(
  start: DeskState,
  { answers = [], kept = true }: { readonly answers?: Answer[]; readonly kept?: boolean } = {},
) {
  let stored: Saved | undefined = start.saved;
  let time = 0;
  const sent: object[] = [];
  const copies: DeskState[] = [];
  const ports: DeskPorts = {
    save: async (input) => {
      sent.push(input);
      const answer = answers.shift();
      if (answer !== undefined) return answer();
      return accept(input);
    },
    read: async () => {
      if (stored === undefined) throw new ApiProblem("missing", "No such press.", { status: 404 });
      return stored;
    },
    findTwin: async () => (stored === undefined ? undefined : 7),
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
    stored = { text: { ...article, ...input, priceUsdg: "0.25" } satisfies Text, updatedAt };
    return "id" in input ? { id: 7, updatedAt } : { id: 7 };
  };
  const desk = makeDesk(start, ports);
  return {
    desk,
    sent,
    copies,
    accept,
    elsewhere: (saved: Saved) => {
      stored = saved;
    },
  };
}

const pause = () => vi.advanceTimersByTimeAsync(writingPause);
const problem = (status: number, code: string, more: object = {}) =>
  new ApiProblem("refused", "Why.", { status, code, ...more });
const unreachable = new ApiProblem("unreachable", "No answer.");

describe("saving", () => {
  test("a text is saved once its writing pauses, with the time of the draft that it was written on", async () => {
    const { desk, sent } = scene(known);
    desk.edit({ headline: "A headline that is new" });
    await vi.advanceTimersByTimeAsync(writingPause - 1);
    desk.edit({ headline: "A headline that is newer" });
    await vi.advanceTimersByTimeAsync(writingPause - 1);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([
      { ...article, priceUsdg: 0.25, headline: "A headline that is newer", id: 7, updatedAt: "t0" },
    ]);
    expect(isUnsaved(desk.state())).toBe(false);
    desk.edit({ headline: "A third headline" });
    await pause();
    expect(sent[1]).toMatchObject({ updatedAt: "t1" });
  });

  test("what nobody has changed is never sent: a save would take an approval back", async () => {
    const { desk, sent } = scene(known);
    desk.edit({ headline: ` ${article.headline}` });
    await desk.flush();
    await pause();
    expect(sent).toEqual([]);
  });

  test("a text that a save would refuse is kept here and not sent; it is once it is fit", async () => {
    const { desk, sent, copies } = scene(blank);
    desk.edit({ ...article, body: "Too short." });
    await pause();
    expect(sent).toEqual([]);
    expect(copies.at(-1)?.text.body).toBe("Too short.");
    desk.edit({ body: article.body });
    await pause();
    expect(sent).toHaveLength(1);
  });

  test("a first save brings the id; the time comes from the service, and the next save names both", async () => {
    const { desk, sent } = scene(blank);
    desk.edit(article);
    await pause();
    expect(sent[0]).not.toHaveProperty("id");
    expect(desk.state()).toMatchObject({ id: 7, saved: { updatedAt: "t1" }, phase: { name: "rest" } });
    desk.edit({ publisherName: "Another desk" });
    await pause();
    expect(sent[1]).toMatchObject({ id: 7, updatedAt: "t1", publisherName: "Another desk" });
  });

  test("one save is under way at a time; what was written meanwhile goes with the next", async () => {
    const answer = Promise.withResolvers<{ id: number; updatedAt: string }>();
    const { desk, sent } = scene(known, { answers: [() => answer.promise] });
    desk.edit({ headline: "The first headline" });
    await pause();
    desk.edit({ headline: "The second headline" });
    await pause();
    expect(sent).toHaveLength(1);
    answer.resolve({ id: 7, updatedAt: "t9" });
    await pause();
    expect(sent[1]).toMatchObject({ headline: "The second headline", updatedAt: "t9" });
  });

  test("an AI draft is named with every save as long as the text is about its stock", async () => {
    const { desk, sent } = scene(known);
    desk.replace({ ...article, headline: "An AI's headline" }, { id: 3, stock: "NVDA", sources: [] });
    await pause();
    desk.edit({ headline: "An edited headline" });
    await pause();
    desk.edit({ stock: "AAPL" });
    await pause();
    expect(sent.map((input) => "generationId" in input && input.generationId)).toEqual([3, 3, false]);
  });

  test("a text that is being audited stands still", async () => {
    const { desk, sent } = scene(known);
    desk.lock(true);
    desk.edit({ headline: "Written too late" });
    await pause();
    expect(desk.state().text).toEqual(article);
    expect(sent).toEqual([]);
    desk.lock(false);
    desk.edit({ headline: "Written in time" });
    await pause();
    expect(sent).toHaveLength(1);
  });

  test("a browser that keeps nothing is told of, so that nobody closes the page", () => {
    const { desk } = scene(known, { kept: false });
    desk.edit({ headline: "Kept by nobody" });
    expect(desk.state().notKept).toBe(true);
  });
});

describe("an answer that is lost", () => {
  test("a save is tried again by itself, later each time", async () => {
    const lost: Answer = () => Promise.reject(unreachable);
    const { desk, sent } = scene(known, { answers: [lost, lost] });
    desk.edit({ headline: "A headline that is new" });
    await pause();
    expect(desk.state().phase.name).toBe("waiting");
    await vi.advanceTimersByTimeAsync(2_000);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(3_999);
    expect(sent).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(3);
    expect(isUnsaved(desk.state())).toBe(false);
  });

  test("a 503 is waited for as long as it says", async () => {
    const busy = problem(503, "press_busy", { retryAfter: 30 });
    const { desk, sent } = scene(known, { answers: [() => Promise.reject(busy)] });
    desk.edit({ headline: "A headline that is new" });
    await pause();
    await vi.advanceTimersByTimeAsync(29_999);
    expect(sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toHaveLength(2);
  });

  test("of a first save makes no second draft: the one that it made is found", async () => {
    const made = scene(blank, {
      answers: [
        () => {
          made.accept({ ...article, priceUsdg: 0.25 });
          return Promise.reject(unreachable);
        },
      ],
    });
    made.desk.edit(article);
    await pause();
    expect(made.desk.state()).toMatchObject({ id: undefined, uncertain: true });
    expect(made.copies.at(-1)?.uncertain).toBe(true);
    await vi.advanceTimersByTimeAsync(2_000);
    expect(made.sent).toHaveLength(1);
    expect(made.desk.state()).toMatchObject({ id: 7, saved: { updatedAt: "t1" }, uncertain: false });
  });

  test("of an update is no conflict with itself", async () => {
    const { desk, sent, elsewhere } = scene(known, {
      answers: [() => Promise.reject(problem(409, "stale_draft"))],
    });
    const text = { ...article, headline: "A headline that is new" };
    elsewhere({ text, updatedAt: "t5" });
    desk.edit({ headline: text.headline });
    await pause();
    expect(sent).toHaveLength(1);
    expect(desk.state()).toMatchObject({ phase: { name: "rest" }, saved: { updatedAt: "t5" } });
  });
});

describe("a draft that was saved elsewhere", () => {
  const theirs = { text: { ...article, headline: "What the other tab says" }, updatedAt: "t5" };

  async function conflict() {
    const made = scene(known, { answers: [() => Promise.reject(problem(409, "stale_draft"))] });
    made.elsewhere(theirs);
    made.desk.edit({ headline: "What this tab says" });
    await pause();
    expect(made.desk.state().phase).toEqual({ name: "conflict", theirs });
    return made;
  }

  test("is not overwritten, however much is written", async () => {
    const { desk, sent } = await conflict();
    desk.edit({ headline: "What this tab goes on saying" });
    await pause();
    await desk.flush();
    expect(sent).toHaveLength(1);
    expect(desk.state().phase.name).toBe("conflict");
  });

  test("is overwritten when its publisher says so, and only as it was seen", async () => {
    const { desk, sent } = await conflict();
    desk.keepMine();
    await pause();
    expect(sent[1]).toMatchObject({ headline: "What this tab says", updatedAt: "t5" });
    expect(isUnsaved(desk.state())).toBe(false);
  });

  test("takes the place of the text here when its publisher says so", async () => {
    const { desk, sent } = await conflict();
    desk.takeTheirs();
    await pause();
    expect(desk.state()).toMatchObject({ text: theirs.text, saved: theirs, phase: { name: "rest" } });
    expect(sent).toHaveLength(1);
  });

  test("is shown at once where nothing was written here", () => {
    const { desk } = scene(known);
    desk.refresh(theirs);
    expect(desk.state().text).toEqual(theirs.text);
    desk.edit({ headline: "Written here" });
    desk.refresh({ text: article, updatedAt: "t6" });
    expect(desk.state().text.headline).toBe("Written here");
  });
});

describe("a refusal", () => {
  test.each([
    [400, "invalid_input"],
    [401, "sign_in_required"],
    [409, "press_live"],
    [429, "draft_limit"],
  ])("%i %s is not asked for again until something changes", async (status, code) => {
    const { desk, sent } = scene(known, { answers: [() => Promise.reject(problem(status, code))] });
    desk.edit({ headline: "A headline that is new" });
    await pause();
    expect(desk.state().phase).toMatchObject({ name: "refused", problem: { code } });
    await vi.advanceTimersByTimeAsync(120_000);
    expect(sent).toHaveLength(1);
    desk.retry();
    await pause();
    expect(sent).toHaveLength(2);
    expect(desk.state().phase.name).toBe("rest");
  });
});
