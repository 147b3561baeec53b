import * as z from "zod";
import * as Page from "../../core/page/index.ts";
import { makeHandler } from "../lib/endpoint.ts";
import { makePicture } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = makeHandler("card", z.undefined(), async ({ path }) => {
  const ports = { table: runtime.table(), typefaces: runtime.typefaces };
  return makePicture("image/png", await Page.makeCard(ports, path.file ?? ""));
});
