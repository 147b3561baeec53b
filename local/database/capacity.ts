import * as z from "zod";

const Consumed = z.object({
  ConsumedCapacity: z.object({ TableName: z.string(), CapacityUnits: z.number() }).optional(),
});

/** The `ConsumedCapacity` of a transaction from those of its actions: a transaction costs twice (developer guide,
 * "Capacity management for transactions"). Empty where the request did not ask for it. */
export function transactionCapacity(
  kind: "ReadCapacityUnits" | "WriteCapacityUnits",
  answers: readonly unknown[],
): Readonly<Record<string, unknown>> {
  const units = new Map<string, number>();
  for (const answer of answers) {
    const consumed = Consumed.safeParse(answer).data?.ConsumedCapacity;
    if (consumed === undefined) continue;
    units.set(consumed.TableName, (units.get(consumed.TableName) ?? 0) + 2 * consumed.CapacityUnits);
  }
  if (units.size === 0) return {};
  return {
    ConsumedCapacity: Array.from(units, ([TableName, CapacityUnits]) => ({
      TableName,
      CapacityUnits,
      [kind]: CapacityUnits,
    })),
  };
}
