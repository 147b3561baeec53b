import * as z from "zod";
import * as Page from "../../core/page/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { picture } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = endpoint("card", z.undefined(), async ({ path }) => {
  const ports = { table: runtime.table(), typefaces: runtime.typefaces };
  return picture("image/png", await Page.makeCard(ports, path.file ?? ""));
});
