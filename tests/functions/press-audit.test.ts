import { afterEach, beforeAll, describe, expect, test } from "vitest";
import * as z from "zod";
import { reviewVersion } from "../../core/audit/reading.ts";
import { AuditReport } from "../../core/audit/schema.ts";
import { type BedrockFault, startBedrock } from "../../local/bedrock/index.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { goodDraft } from "../core/audit/sample.ts";
import { makeHttpClient } from "../support/http-payer.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

/** Test account 1 holds stock tokens; test account 4 does not. */
const holder = getTestAccount(1);
const publisher = getTestAccount(4);

let cookie: string;
let fault: BedrockFault | undefined;
/** Faults of the model. Each of these faults occurs once, before `fault` takes effect. */
let faults: BedrockFault[] = [];
let reviews = 0;

const model = startPart(() =>
  startBedrock({
    fault: () => {
      reviews += 1;
      return faults.shift() ?? fault;
    },
  }),
);
const service = startPart(() => startTestService({ detours: { model: () => model.endpoint } }));
beforeAll(async () => {
  cookie = await makeClient().signIn(publisher);
});
afterEach(() => {
  fault = undefined;
  faults = [];
});

const makeClient = () => makeHttpClient(service.origin);
const post = (path: string, body: unknown, cookie?: string) => makeClient().ask(path, { body, cookie });

const article = {
  headline: goodDraft.headline,
  stock: goodDraft.stock,
  publisherName: goodDraft.publisherName,
  preview: goodDraft.preview,
  priceUsdg: 1.5,
  // The compared text leaves out the token's price, because the price changes.
  body: goodDraft.body.replace(/The token trades near.*?whatever the stock does\. /, ""),
};

async function savePress(changes: object = {}, as = cookie): Promise<number> {
  const answer = await post("/api/press/save", { ...article, ...changes }, as);
  return z.object({ id: z.int() }).parse(answer.body).id;
}

const audit = (id: unknown, sessionCookie: string | undefined = cookie) =>
  post("/api/press/audit", { id }, sessionCookie);
const readPress = async (id: number) =>
  (await service.table.entities.press.get({ id }).go({ consistent: true })).data;

const Answer = z.strictObject({
  status: z.enum(["approved", "revise", "rejected"]),
  audit: AuditReport,
  metaUrl: z.string(),
});

describe("POST /api/press/audit", () => {
  test("the audit reads the publisher's balance from the chain, and requires a holding to be disclosed", async () => {
    const as = await makeClient().signIn(holder);
    const silent = Answer.parse((await audit(await savePress({}, as), as)).body);
    expect(silent.status).toBe("revise");
    expect(silent.audit.facts.publisherHolds).toBe(true);
    expect(BigInt(silent.audit.facts.publisherBalance)).toBeGreaterThan(0n);
    const body = `${article.body}\n\nDisclosure: the publisher holds AAPL tokens.`;
    const open = Answer.parse((await audit(await savePress({ body }, as), as)).body);
    expect(open).toMatchObject({ status: "approved", audit: { facts: { publisherHolds: true } } });
  });

  test.each([[undefined], [0], [-1], [1.5], ["1"]])("POST /api/press/audit refuses the id %s", async (id) => {
    expect(await audit(id)).toMatchObject({ status: 400, body: { code: "invalid_input" } });
  });

  test("one of two concurrent audit requests is answered with 409", async () => {
    const id = await savePress();
    const answers = await Promise.all([audit(id), audit(id)]);
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)).toMatchObject({ body: { code: "audit_running" } });
    expect(await readPress(id)).toMatchObject({ auditCount: 1 });
  });

  test.each<[string, BedrockFault, number]>([
    ["refuses", { status: 403, type: "AccessDeniedException", message: "No." }, 1],
    ["is throttled throughout", { status: 429, type: "ThrottlingException", message: "Slow." }, 3],
  ])(
    "an audit by a model that %s is answered with 503, uses up no quota, and can be repeated at once",
    async (_what, failure, least) => {
      const id = await savePress();
      const before = await readPress(id);
      fault = failure;
      reviews = 0;
      const answer = await audit(id);
      expect(answer).toMatchObject({ status: 503, body: { code: "audit_unavailable" } });
      expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(reviews).toBeGreaterThanOrEqual(least);
      expect(await readPress(id)).toEqual(before);
      fault = undefined;
      expect((await audit(id)).status).toBe(200);
    },
  );

  test("if the first model fails, the second model does the audit, and the report names the second model", async () => {
    const id = await savePress();
    faults = [{ spoil: "malformed_call" }, { spoil: "malformed_call" }];
    expect(Answer.parse((await audit(id)).body)).toMatchObject({
      status: "approved",
      audit: { engine: `local.anthropic.claude-stand-in-v1 ${reviewVersion}` },
    });
  });
});
