import * as z from "zod";
import * as Draft from "../../core/draft/index.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("my-generation", z.undefined(), async ({ caller, path }) =>
  json(await Draft.readGenerated({ table: runtime.table(), clock: runtime.clock }, caller.wallet, path.id)),
);
