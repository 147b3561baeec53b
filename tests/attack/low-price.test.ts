import { beforeAll, expect, test } from "vitest";
import { Audited } from "../../core/audit/schema.ts";
import { Saved } from "../../core/press/schema.ts";
import { getTestAccount } from "../../local/devnet/accounts.ts";
import { makeArticle } from "../core/press/newsroom.ts";
import { startTestDevnet } from "../support/devnet.ts";
import { makeHttpClient } from "../support/http-payer.ts";
import { startPart } from "../support/provide.ts";
import { startTestService } from "../support/service.ts";

/**
 * In this stage a unit of gas costs two tenths of a gwei. At the minimum price of a press, the fee covers less than two thirds of the gas
 * cost of a read.
 */
let cookie: string;
const service = startPart(() =>
  startTestService({
    environment: { MIN_PRICE_USDG: "0.94" },
    startChain: () => startTestDevnet({ gasPrice: 200_000_000n }),
  }),
);
beforeAll(async () => {
  cookie = await makeHttpClient(service.origin).signIn(getTestAccount(4));
});

async function post(path: string, body: unknown) {
  const headers = { origin: service.origin };
  return makeHttpClient(service.origin).ask(path, { body, cookie, headers });
}

const save = (priceUsdg: number) => post("/api/press/save", makeArticle({ priceUsdg }));

test("a draft that costs less than the stage's minimum price is refused with the reason, and a draft at the minimum price is saved", async () => {
  for (const price of [0.01, 0.5, 0.939999]) {
    expect(await save(price)).toMatchObject({
      status: 400,
      body: { code: "price_too_low", error: expect.stringContaining("at least 0.94 USDG") },
    });
  }
  expect(await save(0.94)).toMatchObject({ status: 200, body: { id: expect.any(Number) } });
});

test("the lowest price whose fee covers the present gas cost of a read is shown only to the publisher", async () => {
  // Both payments together use 250,000 gas units, which cost 0.15 USDG at 3,000 USDG per ETH. The fee is a tenth of the price.
  const client = makeHttpClient(service.origin);
  expect(await client.ask("/api/me/price", { cookie })).toMatchObject({
    status: 200,
    body: { leastUsdg: 0.94, carryingUsdg: 1.5 },
  });
  expect((await client.ask("/api/me/price")).status).toBe(401);
});

test.each([
  [1.49, ["low"]],
  [1.5, []],
])(
  "if a press costs %d USDG, the audit's issues about the price have the severities %j",
  async (price, severities) => {
    const { id } = Saved.parse((await save(price)).body);
    const { audit } = Audited.parse((await post("/api/press/audit", { id })).body);
    const remarks = audit.issues.filter(({ check }) => check === "price");
    expect(remarks.map(({ severity }) => severity)).toEqual(severities);
    for (const { detail } of remarks) expect(detail).toContain("the price is at least 1.5 USDG");
  },
);
