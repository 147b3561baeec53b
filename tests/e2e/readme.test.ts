import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { maxUint256 } from "viem";
import { encodeFunctionData } from "viem/utils";
import { afterAll, beforeAll, expect, test } from "vitest";
import { erc20Abi } from "../../core/chain/abi.ts";
import { lower } from "../../core/chain/hex.ts";
import { startProvider } from "../../local/devnet/provider.ts";
import { type LocalServer, makeRandomSource } from "../../local/stand-in.ts";
import { publishDemoPress } from "../support/demo-press.ts";
import { openDevnetClient } from "../support/devnet.ts";
import { makeHttpClient } from "../support/http-payer.ts";
import { listTransfers } from "../support/ledger.ts";
import { getTestAccount, permit2, usdg } from "../support/payment.ts";
import { makeFolder } from "../support/provide.ts";
import { roughSeed } from "../support/rough.ts";
import { startTestService, type TestService } from "../support/service.ts";

const root = join(import.meta.dirname, "../..");
// The program finds its packages only if its folder is below the project's root.
const folder = await makeFolder(join(root, ".local"));

/** The number of milliseconds between a receipt and the moment when a lagging backend of the service's RPC provider shows the new state. */
const lag = 3_000;
const dice = makeRandomSource("readme", "provider");
let readLag = () => 0;
let provider: LocalServer | undefined;
let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    // The service waits longer than the backend lags, because the provider measures the lag from the moment when the provider first sees a
    // block.
    environment: { STATE_LAG_MS: "10000" },
    detours: {
      async chain(url) {
        // An unreliable node already lags, so the test puts no provider in front of it. A provider would also let different backends answer
        // the calls of one batch.
        if (roughSeed !== undefined) return url;
        const rules = { callsPerSecond: 10_000, refusal: () => undefined, lag: () => readLag() };
        provider = await startProvider(url, rules);
        return provider.endpoint;
      },
    },
  });
  await publishDemoPress(service);
});
afterAll(async () => {
  await service.stop();
  await provider?.stop();
});

test("the README's program makes both payments for press 0 and prints the text, even if half of the node's answers are out of date", async () => {
  readLag = () => (dice.chance(0.5) ? lag : 0);
  const program = /```js\n(.*?)```/s.exec(readFileSync(join(root, "README.md"), "utf8"))?.[1];
  if (program === undefined) throw new Error("The README holds no program");
  const file = join(folder, "pay.mjs");
  await writeFile(file, program.replace("http://localhost:3000", service.origin));
  const { stdout } = await promisify(execFile)(process.execPath, [file]);
  expect(stdout.match(/^200 /gm)).toHaveLength(2);
  expect(stdout).toContain("paid: true");
  expect(stdout).toContain("body: ");
});

test.each([
  ["every answer is", 8, () => lag],
  ["half of the answers are", 9, () => (dice.chance(0.5) ? lag : 0)],
])(
  "when %s out of date, a payer who gets the approval's receipt from the RPC relay and pays at once is never asked to approve again",
  async (_, index, chance) => {
    const http = makeHttpClient(service.origin);
    const [client, relay] = [openDevnetClient(service.rpcUrl), openDevnetClient(`${service.origin}/api/rpc`)];
    const account = getTestAccount(index);
    readLag = chance;
    await http.entryOf("treasury", 0);
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [permit2, maxUint256] });
    await relay.waitForTransactionReceipt({ hash: await relay.sendTransaction({ account, to: usdg, data }) });
    for (const leg of ["treasury", "publisher"] as const) {
      let reply = await http.payLeg(account, leg, 0);
      // An honest payment is never answered with 402. A repeat of the payment is needed only if the node is unreliable, because an
      // unreliable node also refuses calls.
      for (let tries = 0; roughSeed !== undefined && reply.status === 503 && tries < 20; tries += 1) {
        await sleep(Number(reply.headers.get("retry-after")) * 1_000);
        reply = await http.payLeg(account, leg, 0);
      }
      expect(reply).toMatchObject({ status: 200, body: { paid: true } });
    }
    expect(await listTransfers({ client }, { from: lower(account.address) })).toHaveLength(2);
  },
);
