import * as z from "zod";
import { AddressInput, lower } from "../../core/chain/hex.ts";
import { StockSymbol } from "../../core/market/schema.ts";
import type { ShownPage, ShowPorts } from "../../core/page/index.ts";
import * as Page from "../../core/page/index.ts";
import { makeHandler } from "../lib/endpoint.ts";
import { makeText, passing, type Reply } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

/** The page of a live press. If no press at the address is live, the answer is the site's own document with status 404. */
export const press = makeHandler("press-page", z.undefined(), ({ path }) =>
  servePage((ports) => Page.show(ports, path.slug ?? "")),
);

/** The page of a stock. If there is no stock with the name in the path, the answer is the site's own document with status 404. */
export const stock = makeHandler("stock-page", z.undefined(), ({ path }) => {
  const symbol = StockSymbol.safeParse(path.symbol);
  return servePage(symbol.success ? (ports) => Page.showStock(ports, symbol.data) : Page.showMissing);
});

/** The page of an author. If the wallet is not an author, the answer is the site's own document with status 404. */
export const author = makeHandler("author-page", z.undefined(), ({ path }) => {
  const address = AddressInput.safeParse(path.address);
  return servePage(
    address.success ? (ports) => Page.showAuthor(ports, lower(address.data)) : Page.showMissing,
  );
});

/**
 * Serves a page whose content is inserted into the site's HTML document. If a page has no content, the answer is the site's document with
 * status 404, and the site's app explains that nothing was found.
 */
async function servePage(loadPage: (ports: ShowPorts) => Promise<ShownPage>): Promise<Reply> {
  const ports = { ...runtime.makeTablePorts(), pages: runtime.pages(), settings: runtime.readSettings() };
  const shown = await loadPage(ports);
  // A missing page may soon be published, so its 404 is cached only briefly.
  return makeText("text/html", shown.html, shown.found ? {} : { status: 404, headers: passing });
}

export const sitemap = makeHandler("sitemap", z.undefined(), async ({ query }) => {
  const ports = { ...runtime.makeTablePorts(), settings: runtime.readSettings() };
  return makeText("application/xml", await Page.makeSitemap(ports, query.part));
});
