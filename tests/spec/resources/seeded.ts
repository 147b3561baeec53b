import { putPress } from "../../support/payment.ts";
import { makeOnce } from "../world/scene.ts";
import { service } from "../world/service.ts";
import { list } from "./shelf.ts";

/**
 * The number of old presses, which is greater than the maximum length of a list. The old presses have no verdict, and are written directly
 * to the table because it would take too long to publish each press.
 */
const count = 201;

/** Reads the list of presses about the stock of the old presses. */
export const seeded = makeOnce(async () => {
  const publisher = "0x00000000000000000000000000000000000000a1";
  for (let index = 0; index < count; index += 1) {
    const pressId = 100_000 + index;
    const publishedAt = new Date(Date.UTC(2025, 0, 1, 0, 0, index)).toISOString();
    const audit = {
      verdict: "approve",
      score: 90,
      summary: "S",
      engine: "E",
      auditedAt: publishedAt,
    } as const;
    const known = { publisherHolds: false, priceAtPublish: 1, mintTx: "0x", audit } as const;
    const press = { pressId, id: pressId, stock: "GOOGL", publisher, publishedAt, ...known } as const;
    await putPress(await service(), press, "The text of long ago.");
  }
  return list("?stock=GOOGL");
});
