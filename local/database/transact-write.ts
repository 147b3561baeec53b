import type { Data } from "dynalite/db/index.js";
import { itemSize, validationError } from "dynalite/db/index.js";
import * as z from "zod";
import { transactionCapacity } from "./capacity.ts";
import { Target } from "./condition.ts";
import { type Database, write } from "./database.ts";
import { alreadyApplied, payloadDigest, tokenWrites } from "./idempotency.ts";
import {
  checkRequest,
  type RequestShape,
  returnConsumedCapacity,
  returnItemCollectionMetrics,
} from "./request.ts";
import type { Stage } from "./stage.ts";
import { answersOf, attempt, conflicting, itemsOf, type Outcome } from "./transaction.ts";
import { actionOf, actionTypes } from "./write-actions.ts";

const maxBytes = 4 * 1024 * 1024;
const shape: RequestShape = {
  types: {
    ClientRequestToken: { type: "String", lengthGreaterThanOrEqual: 1, lengthLessThanOrEqual: 36 },
    ReturnConsumedCapacity: returnConsumedCapacity,
    ReturnItemCollectionMetrics: returnItemCollectionMetrics,
    TransactItems: {
      type: "List",
      notNull: true,
      lengthGreaterThanOrEqual: 1,
      lengthLessThanOrEqual: 100,
      children: { type: "ValueStruct<TransactWriteItem>", children: actionTypes },
    },
  },
};

const Request = z.object({
  ClientRequestToken: z.string().optional(),
  ReturnConsumedCapacity: z.string().optional(),
  TransactItems: z.array(z.record(z.string(), Target)),
});

/** TransactWriteItems: all actions or none, isolated from every other write, and a client token good for one effect.
 * @throws TransactionCanceledException, TransactionInProgressException, IdempotentParameterMismatchException,
 * ValidationException, ResourceNotFoundException */
export async function transactWriteItems(database: Database, body: Data): Promise<unknown> {
  const now = Math.floor(Date.now() / 1000);
  const checked = checkRequest(shape, body, database.store);
  const payload = payloadDigest(checked.TransactItems);
  const request = Request.parse(checked);
  const actions = request.TransactItems.map((item) =>
    actionOf(item, request.ReturnConsumedCapacity, database.store),
  );
  const token = request.ClientRequestToken;

  const apply = (taken: ReadonlySet<number>) =>
    write(database, async (stage) => {
      if (token !== undefined && (await alreadyApplied(database.store, token, payload, now))) return {};
      const outcomes: Outcome[] = [];
      for (const [place, { data, perform }] of actions.entries()) {
        const outcome = taken.has(place)
          ? conflicting
          : await attempt(stage.store, data, () => perform(stage.store, data));
        outcomes.push(outcome);
      }
      const answers = answersOf(outcomes);
      checkSize(stage);
      if (token !== undefined) stage.writes.push(...tokenWrites(token, payload, now));
      return transactionCapacity("WriteCapacityUnits", answers);
    });
  const { conflicts, store } = database;
  return conflicts.underToken(token, async () => {
    const targets = actions.map((action) => action.data);
    return conflicts.writing(await itemsOf(store, targets), async (taken) => {
      await database.pause();
      return apply(taken);
    });
  });
}

function checkSize(stage: Stage): void {
  const bytes = stage.items.reduce((sum, { item }) => sum + itemSize(item), 0);
  if (bytes <= maxBytes) return;
  throw validationError(`Transaction payload size cannot exceed 4MB. Payload Size: ${bytes}`);
}
