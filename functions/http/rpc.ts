import * as z from "zod";
import * as Relay from "../../core/relay/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("rpc", z.unknown(), async ({ body }) => {
  const answer = await Relay.relay({ chain: runtime.chain() }, body);
  return answer === undefined ? { statusCode: 204 } : json(answer);
});
