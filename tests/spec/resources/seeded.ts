import { putPress } from "../../support/payment.ts";
import { makeOnce } from "../world/scene.ts";
import { service } from "../world/service.ts";
import { list } from "./shelf.ts";

/**
 * The number of old presses, which is greater than the maximum length of a list. The old presses have no verdict, and are written directly
 * to the table because it would take too long to publish each press. Only the first press has a text, because lists show no texts.
 */
const count = 201;

/** Reads the list of presses about the stock of the old presses. */
export const seeded = makeOnce(async () => {
  const { table } = await service();
  const { press } = table.entities;
  const publisher = "0x00000000000000000000000000000000000000a1";
  const makeTime = (index: number) => new Date(Date.UTC(2025, 0, 1, 0, 0, index)).toISOString();
  const audit = {
    verdict: "approve",
    score: 90,
    summary: "S",
    engine: "E",
    auditedAt: makeTime(0),
  } as const;
  const known = { publisherHolds: false, priceAtPublish: 1, mintTx: "0x", audit } as const;
  const id = 100_000;
  const first = { pressId: id, id, stock: "GOOGL", publisher, publishedAt: makeTime(0), ...known } as const;
  await putPress({ table }, first, "The text of long ago.");
  const { data: stored } = await press.get({ id }).go({ consistent: true });
  if (stored === null) throw new Error("The press is gone");
  const copies = Array.from({ length: count - 1 }, (_, index) => {
    const ownId = id + index + 1;
    const own = { id: ownId, pressId: ownId, slug: `a-press-${ownId}`, publishedAt: makeTime(index + 1) };
    return { ...stored, ...own };
  });
  await press.put(copies).go();
  return list("?stock=GOOGL");
});
