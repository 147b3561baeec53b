import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import * as Mint from "../../core/mint/index.ts";
import { MintOrder } from "../../core/press/schema.ts";
import { log } from "../lib/log.ts";
import * as runtime from "../lib/runtime.ts";

/** Each message for itself: one that fails is delivered again without the others. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const failures = await Promise.all(event.Records.map(failureOf));
  return { batchItemFailures: failures.flat() };
}

async function failureOf({ messageId, body }: SQSRecord): Promise<SQSBatchResponse["batchItemFailures"]> {
  try {
    await Mint.settle(
      {
        table: runtime.table(),
        clock: runtime.clock,
        chain: runtime.chain(),
        market: runtime.market(),
        mints: runtime.mints(),
        verdicts: runtime.verdicts(),
        settings: runtime.settings(),
      },
      MintOrder.parse(JSON.parse(body)),
    );
    return [];
  } catch (error) {
    log.error("A mint could not be worked on", { messageId, error });
    return [{ itemIdentifier: messageId }];
  }
}
