import * as z from "zod";
import * as Draft from "../../core/draft/index.ts";
import { AnglesInput } from "../../core/draft/schema.ts";
import * as Repeat from "../../core/repeat/index.ts";
import { repeatHeader } from "../browser.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { log } from "../lib/log.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const listAngles = walletEndpoint("draft-angles", AnglesInput, async ({ caller, body, headers }) => {
  const { outage, ...angles } = await Draft.listAngles(
    { ...runtime.tablePorts(), market: runtime.market(), news: runtime.news() },
    caller.wallet,
    body,
    Repeat.repeatableOf("angles", headers[repeatHeader], body),
  );
  if (outage !== undefined) log.warn("Angles without news", { stock: body.stock, error: outage });
  return json(angles);
});

export const readGenerated = walletEndpoint("my-generation", z.undefined(), async ({ caller, path }) =>
  json(await Draft.readGenerated(runtime.tablePorts(), caller.wallet, path.id)),
);
