import * as z from "zod";
import * as Press from "../../core/press/index.ts";
import * as Verdict from "../../core/verdict/index.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("my-press", z.undefined(), async ({ caller, path }) => {
  const ports = { table: runtime.table(), clock: runtime.clock, settings: runtime.settings() };
  const own = await Press.own(ports, caller.wallet, path.id);
  const audit = await Verdict.latestReport(ports, own.press.id);
  return json({ ...own, audit: audit ?? null });
});
