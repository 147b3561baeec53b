import * as z from "zod";
import * as Page from "../../core/page/index.ts";
import { makeHandler } from "../lib/endpoint.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = makeHandler("card", z.undefined(), async ({ path }) => {
  const ports = { table: runtime.table(), typefaces: runtime.typefaces };
  const picture = await Page.makeCard(ports, path.file ?? "");
  const headers = { "content-type": "image/png" };
  // A Lambda function must return bytes as base64 text.
  return { statusCode: 200, headers, body: picture.toString("base64"), isBase64Encoded: true };
});
