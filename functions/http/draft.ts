import * as z from "zod";
import * as Audit from "../../core/audit/index.ts";
import * as Draft from "../../core/draft/index.ts";
import { AnglesInput, GenerateInput } from "../../core/draft/schema.ts";
import { AppError } from "../../core/error.ts";
import * as Repeat from "../../core/repeat/index.ts";
import { repeatHeader } from "../browser.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { log } from "../lib/log.ts";
import { measure } from "../lib/meter.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const listAngles = walletEndpoint("draft-angles", AnglesInput, async ({ caller, body, headers }) => {
  const { outage, ...angles } = await Draft.listAngles(
    { table: runtime.table(), clock: runtime.clock, market: runtime.market(), news: runtime.news() },
    caller.wallet,
    body,
    Repeat.repeatableOf("angles", headers[repeatHeader], body),
  );
  if (outage !== undefined) log.warn("Angles without news", { stock: body.stock, error: outage });
  return json(angles);
});

export const generate = walletEndpoint("draft-generate", GenerateInput, async ({ caller, body, headers }) => {
  const ports = {
    table: runtime.table(),
    clock: runtime.clock,
    market: runtime.market(),
    writer: runtime.writer(),
    modelTerms: runtime.modelTerms(),
    inspect: Audit.faultOfOwn,
  };
  const repeat = Repeat.repeatableOf("generate", headers[repeatHeader], body);
  const generated = await Draft.generate(ports, caller.wallet, body, repeat).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "model_unavailable") {
      measure({ GenerationEnded: 1 }, { outcome: "refunded" });
    }
    throw error;
  });
  measure({ GenerationEnded: 1 }, { outcome: "written" });
  return json(generated);
});

export const readGenerated = walletEndpoint("my-generation", z.undefined(), async ({ caller, path }) =>
  json(await Draft.readGenerated({ table: runtime.table(), clock: runtime.clock }, caller.wallet, path.id)),
);
