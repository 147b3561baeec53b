import { expect, test } from "vitest";
import { keep } from "../../core/manuscript/index.ts";
import { save } from "../../core/press/own.ts";
import { Dashboard } from "../../core/press/schema.ts";
import { dashboard as handler } from "../../functions/http/me.ts";
import { makeDraft, publisher, stranger } from "../core/press/newsroom.ts";
import { startPart } from "../support/provide.ts";
import { invoke } from "./lib/call.ts";
import { cookie, makePorts } from "./lib/desk.ts";
import { startStage } from "./lib/stage.ts";

const stored = startPart(startStage);

test("the full dashboard includes unfinished texts, but no text that has become a press", async () => {
  const { table } = stored;
  const room = makePorts(table);
  const text = { stock: "AAPL", preview: "", body: "", publisherName: "", priceText: "" };
  const keepAs = async (name: string, headline: string) => {
    room.clock.pass(1_000);
    return { name, ...(await keep(room, publisher, { ...text, name, headline })) };
  };
  const become = await keepAs("a", "What becomes a press");
  await keepAs("b", "What comes first");
  await keepAs("c", "What comes last".padEnd(500, "!"));
  await keep(room, stranger, { ...text, name: "d", headline: "Another's" });
  await save(room, publisher, makeDraft({ manuscript: become }));
  const answer = await invoke(handler, "dashboard", { cookies: [cookie], query: { view: "full" } });
  const { manuscripts, waits, ...rest } = Dashboard.strict().parse(answer.body);
  expect(manuscripts?.map(({ name, headline }) => [name, headline.length])).toEqual([
    ["c", 120],
    ["b", 16],
  ]);
  expect(waits).toEqual(rest.presses.map(({ id, updatedAt }) => ({ id, for: "audit", since: updatedAt })));
  expect(rest).toEqual((await invoke(handler, "dashboard", { cookies: [cookie] })).body);
  const wrong = await invoke(handler, "dashboard", { cookies: [cookie], query: { view: "all" } });
  expect(wrong).toMatchObject({ status: 400, body: { code: "invalid_input" } });
});
