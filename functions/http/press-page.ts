import * as z from "zod";
import * as Page from "../../core/page/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { text } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

/** A press may go live at this address in the next moment. */
const passing = "public, max-age=0, s-maxage=5";

/** The page of a live press; at any other address the site's own document, as a true 404. */
export const handler = endpoint("press-page", z.undefined(), async ({ path }) => {
  const ports = { table: runtime.table(), pages: runtime.pages(), settings: runtime.settings() };
  const shown = await Page.show(ports, path.slug ?? "");
  const extras = shown.found ? {} : { status: 404, headers: { "cache-control": passing } };
  return text("text/html", shown.html, extras);
});
