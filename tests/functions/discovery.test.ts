import { afterAll, beforeAll, expect, test } from "vitest";
import { handler as discovery } from "../../functions/http/discovery.ts";
import { routes } from "../../functions/routes.ts";
import { platformAccount, platformIndexes, platformMnemonic } from "../../local/devnet/accounts.ts";
import type { TestTable } from "../support/table.ts";
import { call, site } from "./lib/call.ts";
import { startStage } from "./lib/stage.ts";

let stored: TestTable;
beforeAll(async () => {
  stored = await startStage({
    RELAYER_MNEMONIC: platformMnemonic,
    RELAYER_COUNT: String(platformIndexes.relayers.length),
  });
});
afterAll(() => stored.stop());

test("both paths of the discovery document are served by one function", () => {
  const rows = routes.filter(({ file }) => file === "functions/http/discovery.ts");
  expect(rows.map(({ path }) => path)).toEqual(["/.well-known/x402", "/api"]);
  expect(rows[0]?.cache).toEqual(rows[1]?.cache);
});

test.each(["discovery", "discovery-api"] as const)(
  "%s tells this stage's addresses, to everyone",
  async (id) => {
    const answer = await call(discovery, id, { headers: { origin: "https://agent.example" } });
    expect(answer).toMatchObject({
      status: 200,
      headers: { "cache-control": "public, max-age=0, s-maxage=300, stale-while-revalidate=3600" },
      body: {
        network: { caip2: "eip155:4663" },
        x402: { version: 2, header: "payment-signature" },
        endpoints: { payFee: { url: `${site}/api/pay/treasury`, paid: true } },
        // On one machine the phrase's key after the treasury's.
        receipts: { signer: { address: platformAccount(platformIndexes.receipts).address } },
      },
    });
  },
);
