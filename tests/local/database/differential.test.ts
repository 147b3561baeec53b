import { afterAll, beforeAll, expect, test } from "vitest";
import { onDynamoDbLocal, startTestDatabase, type TestDatabase } from "../../support/database.ts";
import { allItems, createAccounts, indexItems } from "./accounts.ts";
import { outcomeOf } from "./outcome.ts";
import { randomWork } from "./random-work.ts";

const steps = 300;

onDynamoDbLocal("the embedded database and AWS's DynamoDB Local", () => {
  let embedded: TestDatabase;
  let java: TestDatabase;
  beforeAll(async () => {
    [embedded, java] = await Promise.all([startTestDatabase("embedded"), startTestDatabase("java")]);
    await Promise.all([createAccounts(embedded.client), createAccounts(java.client)]);
  });
  afterAll(async () => {
    await Promise.all([embedded.stop(), java.stop()]);
  });

  test.each([1, 77_777])(
    "all engines answer random work with seed %i alike and end with the same items",
    async (seed) => {
      const counts = { succeeded: 0, failed: 0, cancelled: 0 };
      let number = 0;
      for (const step of randomWork(seed, steps)) {
        const [ours, theirs] = await Promise.all([
          outcomeOf(step, embedded.client),
          outcomeOf(step, java.client),
        ]);
        expect(ours, `step ${number} of seed ${seed}`).toEqual(theirs);
        counts[ours.kind] += 1;
        number += 1;
      }
      expect(await allItems(embedded.client)).toEqual(await allItems(java.client));
      const owners = ["o0", "o1", "o2"];
      expect(await indexItems(embedded.client, owners)).toEqual(await indexItems(java.client, owners));
      expect(Math.min(...Object.values(counts)), JSON.stringify(counts)).toBeGreaterThan(10);
    },
  );
});
