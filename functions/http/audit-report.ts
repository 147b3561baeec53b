import * as z from "zod";
import * as Verdict from "../../core/verdict/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import * as runtime from "../lib/runtime.ts";

/** The report as the auditor's onchain verdict has hashed it, byte for byte: it is not written anew here. */
export const handler = endpoint("audit-report", z.undefined(), async ({ path }) => ({
  statusCode: 200,
  headers: { "content-type": "application/json; charset=utf-8" },
  body: await Verdict.publishedReport({ table: runtime.table() }, path.id),
}));
