import * as z from "zod";
import * as Draft from "../../core/draft/index.ts";
import { AnglesInput } from "../../core/draft/schema.ts";
import * as Repeat from "../../core/repeat/index.ts";
import { repeatHeader } from "../browser.ts";
import { makeWalletHandler } from "../lib/endpoint.ts";
import { log } from "../lib/log.ts";
import { makeJson } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const listAngles = makeWalletHandler(
  "draft-angles",
  AnglesInput,
  async ({ caller, body, headers }) => {
    const { outage, ...angles } = await Draft.listAngles(
      { ...runtime.makeTablePorts(), market: runtime.market(), news: runtime.news() },
      caller.wallet,
      body,
      Repeat.readIdempotencyKey("angles", headers[repeatHeader], body),
    );
    if (outage !== undefined) log.warn("Angles without news", { stock: body.stock, error: outage });
    return makeJson(angles);
  },
);

export const readGenerated = makeWalletHandler("my-generation", z.undefined(), async ({ caller, path }) =>
  makeJson(await Draft.readGenerated(runtime.makeTablePorts(), caller.wallet, path.id)),
);
