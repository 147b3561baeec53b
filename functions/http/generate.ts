import * as Audit from "../../core/audit/index.ts";
import * as Draft from "../../core/draft/index.ts";
import { GenerateInput } from "../../core/draft/schema.ts";
import { AppError } from "../../core/error.ts";
import * as Repeat from "../../core/repeat/index.ts";
import { repeatHeader } from "../browser.ts";
import { makeWalletHandler } from "../lib/endpoint.ts";
import { logMetrics } from "../lib/meter.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = makeWalletHandler(
  "draft-generate",
  GenerateInput,
  async ({ caller, body, headers }) => {
    const ports = {
      ...runtime.makeTablePorts(),
      market: runtime.market(),
      writer: runtime.writer(),
      modelTerms: runtime.readModelTerms(),
      inspect: Audit.findDraftFault,
    };
    const repeat = Repeat.readIdempotencyKey("generate", headers[repeatHeader], body);
    const generated = await Draft.generate(ports, caller.wallet, body, repeat).catch((error: unknown) => {
      if (error instanceof AppError && error.code === "model_unavailable") {
        logMetrics({ GenerationEnded: 1 }, { outcome: "refunded" });
      }
      throw error;
    });
    logMetrics({ GenerationEnded: 1 }, { outcome: "written" });
    return makeJson(generated);
  },
);
