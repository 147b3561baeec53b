import * as Draft from "../../core/draft/index.ts";
import { GenerateInput } from "../../core/draft/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("draft-generate", GenerateInput, async ({ caller, body }) =>
  json(
    await Draft.generate(
      { table: runtime.table(), clock: runtime.clock, market: runtime.market(), writer: runtime.writer() },
      caller.wallet,
      body,
    ),
  ),
);
