import * as z from "zod";
import * as Verdict from "../../core/verdict/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import * as runtime from "../lib/runtime.ts";

/** Until the auditor's verdict names the file, which happens within moments of going live. */
const passing = "public, max-age=0, s-maxage=5";

/** The report as the auditor's onchain verdict has hashed it, byte for byte: it is not written anew here. */
export const handler = endpoint("audit-report", z.undefined(), async ({ path }) => {
  const { text, final } = await Verdict.publishedReport({ table: runtime.table() }, path.id);
  return {
    statusCode: 200,
    headers: {
      "content-type": "application/json; charset=utf-8",
      ...(!final && { "cache-control": passing }),
    },
    body: text,
  };
});
