import * as Vote from "../../core/vote/index.ts";
import { RecordInput } from "../../core/vote/schema.ts";
import { makeHandler } from "../lib/endpoint.ts";
import { logMetrics } from "../lib/meter.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = makeHandler("votes-record", RecordInput, async ({ body }) => {
  const ports = { ...runtime.makeTablePorts(), chain: runtime.chain(), settings: runtime.readSettings() };
  const counted = await Vote.recordVote(ports, body);
  logMetrics({ VoteRecorded: 1 });
  return makeJson(counted);
});
