import { createRootRoute, createRoute, createRouter } from "@tanstack/react-router";
import type { ComponentType } from "react";
import {
  queryAuthor as authorOf,
  marketWeek,
  pressList,
  queryPressDetail,
  queryStockPresses,
  queryStockPrices,
} from "./api/press.ts";
import { queryClient } from "./api/request.ts";
import { parseView } from "./list/view.ts";
import { BrokenPage, MissingPage, Shell } from "./shell/shell.tsx";
import { parseEditor } from "./site.ts";
import { makeLazyPart } from "./ui/part.tsx";

const root = createRootRoute({ component: Shell });

/** A page that requests its data itself. If the page's code cannot be loaded, the router shows `BrokenPage`. */
function makePageRoute<const Path extends string>(path: Path, load: () => Promise<ComponentType>) {
  return createRoute({ getParentRoute: () => root, path, component: makeLazyPart(load) });
}

const list = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: parseView,
  // The data of a page is requested while the page's code is still loading.
  loader: () => {
    void queryClient.prefetchQuery(marketWeek);
    return awaitOnFirstPage(queryClient.prefetchQuery(pressList));
  },
  component: makeLazyPart(async () => (await import("./list/page.tsx")).ListPage),
});

const press = createRoute({
  getParentRoute: () => root,
  path: "/press/$slug",
  loader: ({ params }) => awaitOnFirstPage(queryClient.prefetchQuery(queryPressDetail(params.slug))),
  component: makeLazyPart(async () => (await import("./press/page.tsx")).PressPage),
});

const stock = createRoute({
  getParentRoute: () => root,
  path: "/stock/$symbol",
  loader: ({ params }) => {
    const symbol = params.symbol.toUpperCase();
    void queryClient.prefetchQuery(queryStockPresses(symbol));
    return awaitOnFirstPage(queryClient.prefetchQuery(queryStockPrices(symbol)));
  },
  component: makeLazyPart(async () => (await import("./stock/page.tsx")).StockPage),
});

const author = createRoute({
  getParentRoute: () => root,
  path: "/by/$address",
  loader: ({ params }) => awaitOnFirstPage(queryClient.prefetchQuery(authorOf(params.address.toLowerCase()))),
  component: makeLazyPart(async () => (await import("./author/page.tsx")).AuthorPage),
});

const editor = createRoute({
  getParentRoute: () => root,
  path: "/publish/edit",
  validateSearch: parseEditor,
  component: makeLazyPart(async () => (await import("./publish/editor/page.tsx")).EditorPage),
});

/**
 * The first page of a visit is shown only when its data has loaded, because until then the document's own content is shown. Later pages
 * appear at once and show that their data is loading.
 */
function awaitOnFirstPage(data: Promise<void>): Promise<void> | undefined {
  return router.state.resolvedLocation === undefined ? data : undefined;
}

/** All pages of the site. The code of a page is loaded when the reader visits the page or hovers over the page's link. */
export const router = createRouter({
  routeTree: root.addChildren([
    list,
    press,
    stock,
    author,
    editor,
    makePageRoute("/history", async () => (await import("./history/page.tsx")).HistoryPage),
    makePageRoute("/for-you", async () => (await import("./for-you/page.tsx")).ForYouPage),
    makePageRoute("/receipt/$slug", async () => (await import("./receipt/page.tsx")).ReceiptPage),
    makePageRoute("/sessions", async () => (await import("./sessions/page.tsx")).SessionsPage),
    makePageRoute("/purse", async () => (await import("./purse/page.tsx")).PursePage),
    makePageRoute("/developers", async () => (await import("./developers/page.tsx")).DevelopersPage),
    makePageRoute("/audit", async () => (await import("./how/page.tsx")).AuditPage),
    makePageRoute("/ranking", async () => (await import("./how/page.tsx")).RankingPage),
    makePageRoute("/report/$slug", async () => (await import("./report/page.tsx")).ReportPage),
    makePageRoute("/terms", async () => (await import("./legal/page.tsx")).TermsPage),
    makePageRoute("/privacy", async () => (await import("./legal/page.tsx")).PrivacyPage),
    makePageRoute("/contact", async () => (await import("./legal/page.tsx")).ContactPage),
    makePageRoute("/publish", async () => (await import("./publish/dashboard/page.tsx")).DashboardPage),
    makePageRoute("/publish/$id/mint", async () => (await import("./publish/mint/page.tsx")).MintPage),
    makePageRoute("/publish/$id", async () => (await import("./publish/live/page.tsx")).LivePage),
  ]),
  defaultPreload: "intent",
  defaultErrorComponent: BrokenPage,
  defaultNotFoundComponent: MissingPage,
  scrollRestoration: true,
  // The query parameters of a page's URL are plain text and not JSON, because people write and share URLs.
  parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
  stringifySearch: (search) => {
    const given = Object.entries(search).filter(([, value]) => typeof value === "string" && value !== "");
    const query = new URLSearchParams(given.map(([name, value]) => [name, String(value)]));
    return query.size === 0 ? "" : `?${query}`;
  },
});

declare module "@tanstack/react-router" {
  interface Register {
    readonly router: typeof router;
  }
}
