import * as z from "zod";
import * as Press from "../../core/press/index.ts";
import { DashboardQuery } from "../../core/press/schema.ts";
import { walletEndpoint } from "../lib/endpoint.ts";
import { invalid, json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

export const handler = walletEndpoint("dashboard", z.undefined(), async ({ caller, query }) => {
  const asked = DashboardQuery.safeParse(query);
  if (!asked.success) throw invalid(asked.error);
  const read = asked.data.view === "full" ? Press.fullDashboard : Press.dashboard;
  return json(await read({ table: runtime.table() }, caller.wallet));
});
