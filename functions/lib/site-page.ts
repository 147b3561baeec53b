import type { Shown, ShowPorts } from "../../core/page/index.ts";
import { type Reply, text } from "./reply.ts";
import * as runtime from "./runtime.ts";

/** What this address stands for may be there in the next moment. */
const passing = "public, max-age=0, s-maxage=5";

/** A page that the service draws around the site's document; with nothing to draw it is a 404 that the app explains. */
export async function sitePage(show: (ports: ShowPorts) => Promise<Shown>): Promise<Reply> {
  const ports = { table: runtime.table(), pages: runtime.pages(), settings: runtime.settings() };
  const shown = await show(ports);
  const extras = shown.found ? {} : { status: 404, headers: { "cache-control": passing } };
  return text("text/html", shown.html, extras);
}
