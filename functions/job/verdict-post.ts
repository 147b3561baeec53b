import type { SQSBatchResponse, SQSEvent, SQSRecord } from "aws-lambda";
import * as Verdict from "../../core/verdict/index.ts";
import { VerdictOrder } from "../../core/verdict/schema.ts";
import { log } from "../lib/log.ts";
import * as runtime from "../lib/runtime.ts";

type Failures = SQSBatchResponse["batchItemFailures"];

/** One message after the other, for they share a key; one that fails is delivered again without the others. */
export async function handler(event: SQSEvent): Promise<SQSBatchResponse> {
  const batchItemFailures: Failures = [];
  for (const record of event.Records) batchItemFailures.push(...(await failureOf(record)));
  return { batchItemFailures };
}

async function failureOf({ messageId, body }: SQSRecord): Promise<Failures> {
  try {
    const order = VerdictOrder.parse(JSON.parse(body));
    const posting = await Verdict.post(
      {
        table: runtime.table(),
        clock: runtime.clock,
        ids: runtime.ids,
        settings: runtime.settings(),
        chain: runtime.chain(),
        auditor: runtime.auditor(),
      },
      order,
    );
    if (posting.status === "refused") log.warn("A verdict was refused", { ...order, ...posting });
    return [];
  } catch (error) {
    log.error("A verdict could not be posted", { messageId, error });
    return [{ itemIdentifier: messageId }];
  }
}
