import { type DynamoDBClient, TransactionCanceledException } from "@aws-sdk/client-dynamodb";

/** One request that can be sent to any engine. */
export type EngineRequest = (client: DynamoDBClient) => Promise<object>;

/** The fields that only DynamoDB Local adds, or that DynamoDB Local sends as an empty object. */
const engineSpecific = new Set(["$metadata", "ConsumedCapacity", "ItemCollectionMetrics"]);

export type Outcome =
  | { readonly kind: "succeeded"; readonly answer: unknown }
  | { readonly kind: "failed"; readonly name: string; readonly item: unknown }
  | { readonly kind: "cancelled"; readonly reasons: unknown };

/** The outcome of a request to an engine, in a form that can be compared: without the engine's messages and the order of sets. */
export async function readOutcome(step: EngineRequest, client: DynamoDBClient): Promise<Outcome> {
  try {
    return { kind: "succeeded", answer: normalizeValue(await step(client)) };
  } catch (error) {
    if (error instanceof TransactionCanceledException) {
      const reasons = error.CancellationReasons ?? [];
      return { kind: "cancelled", reasons: reasons.map(({ Code, Item }) => normalizeValue({ Code, Item })) };
    }
    if (!(error instanceof Error)) throw error;
    return {
      kind: "failed",
      name: error.name,
      item: "Item" in error ? normalizeValue(error.Item) : undefined,
    };
  }
}

function normalizeValue(value: unknown): unknown {
  if (Array.isArray(value)) {
    const members: unknown[] = value.map(normalizeValue);
    return members.every((member) => typeof member === "string") ? members.toSorted() : members;
  }
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !engineSpecific.has(name));
  return Object.fromEntries(
    entries
      .map(([name, held]) => [name, normalizeValue(held)] as const)
      .filter(([, held]) => held !== undefined && !isEmpty(held)),
  );
}

function isEmpty(value: unknown): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
