import { execFile } from "node:child_process";
import { beforeAll, expect, test } from "vitest";
import { type Press, PressList } from "../../core/press/schema.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { Discovery } from "../../web/src/api/discovery.ts";
import {
  listCurlExamples,
  writeApprovalCode,
  writeAxiosProgram,
  writePayProgram,
} from "../../web/src/developers/page.tsx";
import { publishDemoPress } from "../support/demo-press.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";
import { readPrivateKey } from "../support/wallets.ts";

const service = startPart(startTestService);
let described: Discovery;
let press: Press;
let text: string;

beforeAll(async () => {
  ({ text } = await publishDemoPress(service));
  described = Discovery.parse(await readJson("/.well-known/x402"));
  [press = expect.unreachable("The press is not listed.")] = PressList.parse(
    await readJson("/api/presses"),
  ).presses;
});

async function readJson(path: string): Promise<unknown> {
  return (await fetch(service.origin + path)).json();
}

/** Runs a program as a reader would run it after saving the program next to its packages. */
function run(
  program: string,
  privateKey = readPrivateKey(getTestAccount(9)),
): Promise<{ readonly failed: boolean; readonly stdout: string; readonly stderr: string }> {
  const { promise, resolve } = Promise.withResolvers<Awaited<ReturnType<typeof run>>>();
  const options = { env: { ...process.env, PRIVATE_KEY: privateKey }, timeout: 120_000 };
  execFile(process.execPath, ["--input-type=module", "--eval", program], options, (error, stdout, stderr) =>
    resolve({ failed: error !== null, stdout, stderr }),
  );
  return promise;
}

test("without an approval of Permit2, the sample program for Permit2 names the missing approval", async () => {
  const { failed, stdout, stderr } = await run(writePayProgram(press, described, "permit2"));
  expect(stderr).toContain("First approve the Permit2 contract");
  expect({ failed, stdout }).toEqual({ failed: true, stdout: "" });
});

test("after an approval of Permit2, the sample program for Permit2 pays and prints the text", async () => {
  const approval = await run(writeApprovalCode(described, service.origin));
  expect(approval).toEqual({ failed: false, stdout: "success\n", stderr: "" });
  const payment = await run(writePayProgram(press, described, "permit2"));
  expect(payment).toEqual({ failed: false, stdout: `${text}\n`, stderr: "" });
});

test("without an approval of Permit2, the sample program for fetch pays by EIP-3009", async () => {
  const key = readPrivateKey(getTestAccount(8));
  const payment = await run(writePayProgram(press, described, "eip3009"), key);
  expect(payment).toEqual({ failed: false, stdout: `${text}\n`, stderr: "" });
});

test("without an approval of Permit2, the sample program for axios pays by EIP-3009, and pays only once", async () => {
  const key = readPrivateKey(getTestAccount(7));
  const payment = await run(writeAxiosProgram(press, described), key);
  expect(payment).toEqual({ failed: false, stdout: `${text}\n`, stderr: "" });
  expect((await run(writeAxiosProgram(press, described), key)).stderr).toContain("already unlocked");
});

test("the sample program does not pay a price above the cap", async () => {
  const dear = { ...press, priceUnits: "1" };
  const byFetch = await run(writePayProgram(dear, described, "eip3009"));
  expect(byFetch.stderr).toContain("maxAmountPerPayment");
  const byAxios = await run(writeAxiosProgram(dear, described), readPrivateKey(getTestAccount(6)));
  expect(byAxios.stderr).toContain("filtered out by policies");
  expect([byFetch.failed, byAxios.failed, byAxios.stdout]).toEqual([true, true, ""]);
});

test("the examples for curl list the press, read the press, and get its payment terms", async () => {
  const { list, detail, terms } = listCurlExamples(service.origin, press);
  expect(PressList.parse(await (await runCurl(list)).json()).presses).toHaveLength(1);
  expect((await runCurl(detail)).status).toBe(200);
  expect((await runCurl(terms)).status).toBe(402);
});

/** Sends the request that curl would send for the given arguments: an address, and an optional JSON body. */
function runCurl(command: string): Promise<Response> {
  const [url = ""] = /https?:[^'\s]+/.exec(command) ?? [];
  const [, body] = /-d '([^']+)'/.exec(command) ?? [];
  const headers = { "content-type": "application/json" };
  return fetch(url, body === undefined ? {} : { method: "POST", headers, body });
}
