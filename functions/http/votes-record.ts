import * as Vote from "../../core/vote/index.ts";
import { RecordInput } from "../../core/vote/schema.ts";
import { endpoint } from "../lib/endpoint.ts";
import { measure } from "../lib/meter.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("votes-record", RecordInput, async ({ body }) => {
  const ports = { ...runtime.tablePorts(), chain: runtime.chain(), settings: runtime.settings() };
  const counted = await Vote.record(ports, body);
  measure({ VoteRecorded: 1 });
  return json(counted);
});
