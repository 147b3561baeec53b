import * as Profile from "../../core/profile/index.ts";
import { ProfileInput } from "../../core/profile/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("profile", ProfileInput, async ({ caller, body }) =>
  json(await Profile.save({ table: runtime.table(), clock: runtime.clock }, caller.wallet, body)),
);
