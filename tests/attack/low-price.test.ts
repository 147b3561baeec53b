import { afterAll, beforeAll, expect, test } from "vitest";
import { Saved } from "../../core/press/schema.ts";
import { testAccount } from "../../local/devnet/accounts.ts";
import { signIn } from "../../local/seed/client.ts";
import { article } from "../core/press/newsroom.ts";
import { startTestService, type TestService } from "../support/service.ts";

/** A stage whose gas is dear asks for prices that carry it; nobody gets below that by the way a price is written. */
let service: TestService;
beforeAll(async () => {
  service = await startTestService({ environment: { MIN_PRICE_USDG: "0.94" } });
});
afterAll(() => service.stop());

test("a draft below the stage's lowest price is refused with the reason, and one at it is saved", async () => {
  const { origin } = service;
  const client = await signIn({ origin, signal: AbortSignal.timeout(60_000) }, testAccount(4));
  const save = (priceUsdg: number) => client.post("/api/press/save", article({ priceUsdg }), Saved);
  for (const price of [0.01, 0.5, 0.939999]) {
    await expect(save(price)).rejects.toThrow(/answered 400: .*at least 0\.94 USDG.*"price_too_low"/);
  }
  expect(await save(0.94)).toEqual({ id: expect.any(Number) });
});
