import * as z from "zod";
import type { Address } from "../../core/chain/hex.ts";
import * as Follow from "../../core/follow/index.ts";
import * as History from "../../core/history/index.ts";
import * as Press from "../../core/press/index.ts";
import { CursorQuery, DashboardQuery } from "../../core/press/schema.ts";
import * as Profile from "../../core/profile/index.ts";
import { ProfileInput } from "../../core/profile/schema.ts";
import type { Table } from "../../core/table.ts";
import * as Verdict from "../../core/verdict/index.ts";
import * as Views from "../../core/views/index.ts";
import { makeWalletHandler } from "../lib/endpoint.ts";
import { makeJson, parseQuery } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const dashboard = makeWalletHandler("dashboard", z.undefined(), async ({ caller, query }) => {
  const { view, cursor } = parseQuery(DashboardQuery, query);
  const read = view === "full" ? Press.readFullDashboard : Press.readDashboard;
  return makeJson(await read(runtime.makeTablePorts(), caller.wallet, cursor));
});

export const press = makeWalletHandler("my-press", z.undefined(), async ({ caller, path }) => {
  const ports = { ...runtime.makeTablePorts(), settings: runtime.readSettings() };
  const own = await Press.readOwn(ports, caller.wallet, path.id);
  const audit = await Verdict.readLatestReport(ports, own.press.id);
  return makeJson({ ...own, audit: audit ?? null });
});

export const price = makeWalletHandler("my-price", z.undefined(), async () => {
  const ports = { chain: runtime.chain(), clock: runtime.clock, settings: runtime.readSettings() };
  return makeJson(await Press.readPriceNow(ports));
});

export const history = makeListRoute("history", History.readHistory);

export const purchases = makeListRoute("purchases", History.listPurchases);

export const views = makeListRoute("my-views", async (ports, wallet, cursor) => {
  const [page, followers] = await Promise.all([
    Views.list(ports, wallet, cursor),
    Follow.countFollowers(ports, wallet),
  ]);
  return { ...page, followers };
});

export const sales = makeListRoute("my-sales", Press.listSales);

type ListCall = (
  ports: { readonly table: Table },
  wallet: Address,
  cursor: string | undefined,
) => Promise<object>;

/** Makes a handler that answers with one page of the caller's own list. The page starts at the request's cursor. */
function makeListRoute(id: "history" | "purchases" | "my-views" | "my-sales", list: ListCall) {
  return makeWalletHandler(id, z.undefined(), async ({ caller, query }) => {
    const { cursor } = parseQuery(CursorQuery, query);
    return makeJson(await list({ table: runtime.table() }, caller.wallet, cursor));
  });
}

export const saveProfile = makeWalletHandler("profile", ProfileInput, async ({ caller, body }) =>
  makeJson(await Profile.save(runtime.makeTablePorts(), caller.wallet, body)),
);
