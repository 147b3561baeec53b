import { createRootRoute, createRoute, createRouter, lazyRouteComponent } from "@tanstack/react-router";
import { pressDetail, pressList } from "./api/press.ts";
import { queryClient } from "./api/request.ts";
import { parseView } from "./list/view.ts";
import { parseEditor } from "./publish/search.ts";
import { Broken, Missing, Shell } from "./shell/shell.tsx";

const root = createRootRoute({ component: Shell });

const list = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: parseView,
  // What a page reads is asked for while its code is still on its way.
  loader: () => void queryClient.prefetchQuery(pressList),
  component: lazyRouteComponent(() => import("./list/page.tsx"), "ListPage"),
});

const press = createRoute({
  getParentRoute: () => root,
  path: "/press/$slug",
  loader: ({ params }) => void queryClient.prefetchQuery(pressDetail(params.slug)),
  component: lazyRouteComponent(() => import("./press/page.tsx"), "PressPage"),
});

const history = createRoute({
  getParentRoute: () => root,
  path: "/history",
  component: lazyRouteComponent(() => import("./history/page.tsx"), "HistoryPage"),
});

const sessions = createRoute({
  getParentRoute: () => root,
  path: "/sessions",
  component: lazyRouteComponent(() => import("./sessions/page.tsx"), "SessionsPage"),
});

const developers = createRoute({
  getParentRoute: () => root,
  path: "/developers",
  component: lazyRouteComponent(() => import("./developers/page.tsx"), "DevelopersPage"),
});

const audit = createRoute({
  getParentRoute: () => root,
  path: "/audit",
  component: lazyRouteComponent(() => import("./how/page.tsx"), "AuditPage"),
});

const publish = createRoute({
  getParentRoute: () => root,
  path: "/publish",
  component: lazyRouteComponent(() => import("./publish/dashboard/page.tsx"), "DashboardPage"),
});

const editor = createRoute({
  getParentRoute: () => root,
  path: "/publish/edit",
  validateSearch: parseEditor,
  component: lazyRouteComponent(() => import("./publish/editor/page.tsx"), "EditorPage"),
});

const mint = createRoute({
  getParentRoute: () => root,
  path: "/publish/$id/mint",
  component: lazyRouteComponent(() => import("./publish/mint/page.tsx"), "MintPage"),
});

const own = createRoute({
  getParentRoute: () => root,
  path: "/publish/$id",
  component: lazyRouteComponent(() => import("./publish/live/page.tsx"), "LivePage"),
});

/** Every page of the site. A page's code is loaded when it is gone to, or hovered over. */
export const router = createRouter({
  routeTree: root.addChildren([
    list,
    press,
    history,
    sessions,
    developers,
    audit,
    publish,
    editor,
    mint,
    own,
  ]),
  defaultPreload: "intent",
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: Missing,
  scrollRestoration: true,
  // Plain texts, as people write and share them, and not JSON.
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
