import { rm } from "node:fs/promises";
import { decodeEventLog, keccak256, stringToBytes } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { AuditReport } from "../../core/audit/schema.ts";
import { identityAbi, reputationAbi } from "../../core/chain/abi.ts";
import { mainnet } from "../../core/chain/deployment.ts";
import { HashInput, lower } from "../../core/chain/hex.ts";
import { Angles, Generated } from "../../core/draft/schema.ts";
import { Dashboard, OwnPress, PressDetail, Registration } from "../../core/press/schema.ts";
import { type Bedrock, startBedrock } from "../../local/bedrock/index.ts";
import { platformAccount, platformIndexes, testAccount } from "../../local/devnet/accounts.ts";
import { devnetClient, devnetDirectory } from "../support/devnet.ts";
import { launch } from "../support/start.ts";

/** The account holds no stock tokens. */
const account = testAccount(4);
const down = { status: 503, type: "ServiceUnavailableException", message: "The model is down." };

let directory: string;
let model: Bedrock;
let outage = false;
beforeAll(async () => {
  directory = await devnetDirectory();
  model = await startBedrock({ port: 0, fault: () => (outage ? down : undefined) });
});
afterAll(async () => {
  await model.stop();
  await rm(directory, { recursive: true });
});

const Own = z.strictObject({ ...OwnPress.shape, audit: AuditReport.nullable() });
const Saved = z.strictObject({ id: z.int(), updatedAt: z.string().optional() });
const Audited = z.strictObject({ status: z.string(), audit: AuditReport, metaUrl: z.string() });
const Minted = z.strictObject({ slug: z.string(), pressId: z.int() });

/** `npm start` in its own process, and a publisher who is signed in. */
async function newsroom() {
  const { origin, rpcUrl } = await launch({
    directory,
    flags: ["--no-seed", "--fresh"],
    environment: { AWS_ENDPOINT_URL_BEDROCK_RUNTIME: model.endpoint },
  });
  let cookie = "";
  async function ask(path: string, body?: unknown) {
    const answer = await fetch(origin + path, {
      method: body === undefined ? "GET" : "POST",
      headers: { origin, cookie, ...(body !== undefined && { "content-type": "application/json" }) },
      body: body === undefined ? null : JSON.stringify(body),
    });
    return { status: answer.status, headers: answer.headers, text: await answer.text() };
  }
  async function read<Answer>(form: z.ZodType<Answer>, path: string, body?: unknown): Promise<Answer> {
    const { status, text } = await ask(path, body);
    expect({ path, status, text }).toMatchObject({ status: 200 });
    return form.parse(JSON.parse(text));
  }
  const { address } = account;
  const challenge = z.object({ nonce: z.string(), message: z.string() });
  const { nonce, message } = await read(challenge, "/api/auth/nonce", { address });
  const signature = await account.signMessage({ message });
  const signedIn = await ask("/api/auth/verify", { address, nonce, signature });
  cookie = signedIn.headers.get("set-cookie")?.split(";")[0] ?? "";
  return { origin, chain: devnetClient(rpcUrl), ask, read };
}

test("a publisher gets from a ticker to a live, audited, minted press with its verdict on the chain, and while the model is down publishing stops and loses nothing", async () => {
  const room = await newsroom();
  await publish(room);
  await meetOutage(room);
});

type Newsroom = Awaited<ReturnType<typeof newsroom>>;

async function publish({ origin, chain, ask, read }: Newsroom): Promise<void> {
  const { angles } = await read(Angles, "/api/draft/angles", { stock: "AAPL" });
  expect(angles.map(({ id }) => id)).toEqual(expect.arrayContaining(["h0", "price", "fundamentals"]));
  const order = { stock: "AAPL", angleId: "price" };
  const { generationId, draft } = await read(Generated, "/api/draft/generate", order);

  const article = {
    ...draft,
    generationId,
    stock: "AAPL",
    priceUsdg: 0.5,
    publisherName: "The Evening Desk",
  };
  // The publisher's own addition, which no auditor approves.
  const loud = `${draft.body}\n\nThe price is guaranteed to rise from here, so buy now.`;
  const { id } = await read(Saved, "/api/press/save", { ...article, body: loud });
  const refused = await read(Audited, "/api/press/audit", { id });
  expect(refused.status).toBe("revise");
  expect(refused.audit.issues.length).toBeGreaterThan(0);

  const opened = await read(Own, `/api/me/press/${id}`);
  expect(opened).toMatchObject({ press: { status: "revise" }, body: loud, metaUrl: null });
  expect(opened.audit).toEqual(refused.audit);
  const { updatedAt } = opened.press;
  const edited = await read(Saved, "/api/press/save", { ...article, id, updatedAt });
  expect(edited.updatedAt).not.toBe(updatedAt);
  const stale = await ask("/api/press/save", { ...article, id, updatedAt, headline: "From an older window" });
  expect(stale.status).toBe(409);
  expect(JSON.parse(stale.text)).toMatchObject({ code: "stale_draft", updatedAt: edited.updatedAt });

  const { status, audit, metaUrl } = await read(Audited, "/api/press/audit", { id });
  expect({ status, issues: audit.issues.filter(({ severity }) => severity !== "low") }).toEqual({
    status: "approved",
    issues: [],
  });
  const { transactionHash: txHash } = await chain.writeContractSync({
    account,
    address: mainnet.contracts.identityRegistry,
    abi: identityAbi,
    functionName: "register",
    args: [metaUrl],
  });
  const { slug, pressId } = await read(Minted, "/api/press/minted", { id, txHash });
  expect(await read(Minted, "/api/press/minted", { id, txHash })).toEqual({ slug, pressId });

  const pressPath = `/api/presses/${slug}`;
  await expect
    .poll(async () => (await read(PressDetail, pressPath)).press.auditTx)
    .toMatch(/^0x[0-9a-f]{64}$/);
  const detail = await read(PressDetail, pressPath);
  expect(detail).toMatchObject({
    press: { id, pressId, aiAssisted: true, mintTx: txHash },
    body: draft.body,
  });
  const { auditTx } = detail.press;

  // Anybody can check that the auditor's verdict on the chain names the served report, byte for byte.
  const receipt = await chain.getTransactionReceipt({ hash: HashInput.parse(auditTx) });
  expect(lower(receipt.from)).toBe(lower(platformAccount(platformIndexes.auditor).address));
  const feedback = receipt.logs
    .filter(({ address }) => lower(address) === mainnet.contracts.reputationRegistry)
    .map((log) => decodeEventLog({ abi: reputationAbi, ...log }).args);
  expect(feedback).toEqual([
    expect.objectContaining({
      agentId: BigInt(pressId),
      value: BigInt(audit.score),
      valueDecimals: 0,
      tag1: "audit",
      tag2: "approve",
      endpoint: `${origin}/press/${slug}`,
      feedbackURI: `${origin}/api/audit-report/${id}`,
    }),
  ]);
  const report = await fetch(feedback[0]?.feedbackURI ?? "");
  const text = await report.text();
  expect(keccak256(stringToBytes(text))).toBe(feedback[0]?.feedbackHash);
  expect(AuditReport.parse(JSON.parse(text))).toEqual(audit);

  const file = await read(Registration, new URL(metaUrl).pathname);
  expect(file.registrations[0]?.agentId).toBe(pressId);
  const { presses, totals } = await read(Dashboard, "/api/me/dashboard");
  expect(presses).toEqual([expect.objectContaining({ id, status: "live", auditTx, earnedUsdg: 0 })]);
  expect(totals).toEqual({ earnedUsdg: 0, live: 1, reads: 0 });
}

/** Each request is answered with 503 while the model is down, and goes on when it is back. */
async function meetOutage({ ask, read }: Newsroom): Promise<void> {
  const { remaining } = await read(Angles, "/api/draft/angles", { stock: "NVDA" });
  const order = { stock: "NVDA", angleId: "fundamentals" };
  outage = true;
  const undrafted = await ask("/api/draft/generate", order);
  expect(undrafted.status).toBe(503);
  expect(Number(undrafted.headers.get("retry-after"))).toBeGreaterThan(0);
  expect((await read(Angles, "/api/draft/angles", { stock: "NVDA" })).remaining).toBe(remaining);

  outage = false;
  const { draft, generationId } = await read(Generated, "/api/draft/generate", order);
  const article = { ...draft, generationId, stock: "NVDA", priceUsdg: 1, publisherName: "The Evening Desk" };
  const { id } = await read(Saved, "/api/press/save", article);
  const before = await read(Own, `/api/me/press/${id}`);
  outage = true;
  const unaudited = await ask("/api/press/audit", { id });
  expect(unaudited.status).toBe(503);
  expect(Number(unaudited.headers.get("retry-after"))).toBeGreaterThan(0);
  expect(await read(Own, `/api/me/press/${id}`)).toEqual(before);

  outage = false;
  expect(await read(Audited, "/api/press/audit", { id })).toMatchObject({ status: "approved" });
}
