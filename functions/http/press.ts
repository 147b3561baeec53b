import * as z from "zod";
import * as Press from "../../core/press/index.ts";
import { endpoint } from "../lib/endpoint.ts";
import { json } from "../lib/reply.ts";
import * as runtime from "../lib/runtime.ts";

/** What everybody is told may be shared for a moment; what a session is told belongs to it. */
const shared = "public, max-age=0, s-maxage=5, stale-while-revalidate=30";
const personal = "private, no-store";

export const handler = endpoint("press", z.undefined(), async ({ path, token, session }) => {
  const detail = await Press.read(
    { table: runtime.table(), clock: runtime.clock, market: runtime.market() },
    path.slug ?? "",
    async () => (await session())?.wallet,
  );
  const headers = { "cache-control": token === undefined ? shared : personal, vary: "cookie" };
  return json(detail, { headers });
});
