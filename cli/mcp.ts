import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { formatUnits } from "viem/utils";
import type * as z from "zod";
import {
  type LegRecord,
  type Market,
  MarketError,
  type Plan,
  type Purchase,
  parsePriceCap,
} from "../client/index.ts";
import { buyWithKey, instructions, type PressName, tools } from "../core/mcp/schema.ts";

/**
 * The user's two limits in USDG for an agent's purchases: the limit for one press, and the limit for all purchases while the server runs.
 * No agent can raise the user's limits.
 */
export type SpendLimits = { readonly perPress: string; readonly inAll: string };

/**
 * Serves the marketplace's MCP tools through the typed client, with the user's own key, until the MCP client closes standard input.
 */
export async function serveStdio(market: Market, { perPress, inAll }: SpendLimits): Promise<void> {
  const spend = makeLimitedBuyer(market, inAll);
  const server = new McpServer({ name: "Press Market", version: "1.0.0" }, { instructions });
  server.registerTool("search_presses", tools.search_presses, ({ words = "", stock, limit }) =>
    catchRefusals(async () => {
      const of = { limit, ...(stock !== undefined && { stock }) };
      return makeToolResult(await market.search(words, of), tools.search_presses);
    }),
  );
  server.registerTool("preview_press", tools.preview_press, (named) =>
    catchRefusals(async () => {
      const name = readPressName(named);
      const { press, audit } = await market.get(
        typeof name === "string" ? name : (await market.find(name)).slug,
      );
      return makeToolResult({ press, audit }, tools.preview_press);
    }),
  );
  server.registerTool("audit_report", tools.audit_report, (named) =>
    catchRefusals(async () => {
      const { id } = await market.find(readPressName(named));
      return makeToolResult(await market.fetchReport(id), tools.audit_report);
    }),
  );
  server.registerTool("stock_quote", tools.stock_quote, ({ symbol }) =>
    catchRefusals(async () => makeToolResult(await market.fetchQuote(symbol), tools.stock_quote)),
  );
  server.registerTool("author", tools.author, ({ wallet, cursor }) =>
    catchRefusals(async () => makeToolResult(await market.fetchAuthor(wallet, cursor), tools.author)),
  );
  server.registerTool("receipt", tools.receipt, ({ transaction }) =>
    catchRefusals(async () => {
      const all = await market.fetchReceipts(transaction, { all: true });
      const verified = all.map(({ receipt: _, ...said }) => said);
      return makeToolResult({ receipts: all.map(({ receipt }) => receipt), verified }, tools.receipt);
    }),
  );
  server.registerTool(
    "buy_press",
    {
      ...buyWithKey,
      description: `${buyWithKey.description} The user allows at most ${perPress} USDG for one press, and ${inAll} USDG in all.`,
    },
    ({ maxPriceUsdg, renew = false, ...named }) =>
      catchRefusals(async () => {
        const cap = parsePriceCap(maxPriceUsdg) > parsePriceCap(perPress) ? perPress : maxPriceUsdg;
        const { press, text, spentUnits, receipts } = await spend(readPressName(named), cap, renew);
        const makeLegSummary = ({ name, message, settled }: LegRecord) => ({
          leg: name,
          amountUnits: message.amount,
          transaction: settled?.transaction,
        });
        const paid = { press, spentUnits: String(spentUnits), receipts: receipts.map(makeLegSummary), text };
        return { content: [{ type: "text", text }], structuredContent: paid };
      }),
  );
  const transport = new StdioServerTransport();
  await server.connect(transport);
  await new Promise<void>((closed) => {
    process.stdin.once("end", closed);
    process.stdin.once("close", closed);
  });
  await transport.close();
}

/** The tools' schemas require either the press's slug or the press's id, but not both. */
const readPressName = ({ slug, id }: PressName): number | string => id ?? slug ?? "";

/**
 * Buys presses up to the user's total limit. The total of an agent's purchases is limited, because the text of a press could tell the agent
 * to buy another press. The payments of a purchase are reserved before the purchase starts, because several purchases may run at once.
 * Once a signature was sent, they stay reserved, whatever the service says about the charge. A repeated call for an interrupted purchase
 * uses the purchase's own reservation, so that it can always be finished and is counted once. A call that may renew a signature is counted
 * again, because a service that lies may charge both signatures.
 */
function makeLimitedBuyer(market: Market, totalLimit: string) {
  let left = parsePriceCap(totalLimit);
  /** The reservations of all purchases that have sent a signature, in base units of USDG, by the press's number. */
  const reserved = new Map<number, bigint>();
  /** The running purchases by the press's number. A second call for a press waits, so that the payments are not counted twice. */
  const running = new Map<number, Promise<Purchase>>();

  async function buy(
    name: number | string,
    maxPriceUsdg: string | number,
    renew: boolean,
  ): Promise<Purchase> {
    const plan = await market.plan(name, { maxPriceUsdg, renew });
    const { pressId } = plan.press;
    const other = running.get(pressId);
    if (other !== undefined) {
      await Promise.allSettled([other]);
      return buy(name, maxPriceUsdg, renew);
    }
    const purchase = buyPlanned(plan, renew).finally(() => running.delete(pressId));
    running.set(pressId, purchase);
    return purchase;
  }

  async function buyPlanned({ press, price, due, paid }: Plan, renew: boolean): Promise<Purchase> {
    // A press that the wallet already has is only read, so that the service cannot demand a payment after all.
    if (due.length === 0) return { ...(await market.read(press.slug)), spentUnits: 0n, receipts: paid };
    const kept = reserved.get(press.pressId) ?? 0n;
    const cost = due.reduce((sum, { amount }) => sum + amount, 0n);
    const isSigned = due.some(({ signed }) => signed);
    // The proof that a signature has expired may come from the service itself, so the reservation does not pay for another signature.
    const usable = renew && isSigned ? 0n : kept;
    const needed = cost > usable ? cost - usable : 0n;
    if (needed > left) {
      const message = `The press would cost ${formatUnits(needed, 6)} USDG${kept > 0n ? " more than is reserved for it" : ""}, but only ${formatUnits(left, 6)} USDG are left of the total of ${totalLimit} USDG that the user allows. Nothing was signed or charged now.`;
      const money = isSigned ? "unknown" : due.length === 1 ? "fee" : "none";
      throw new MarketError("budget_spent", message, { money });
    }
    left -= needed;
    let isSent = false;
    try {
      return await market.buy(press.slug, {
        // Only the planned price is reserved, so a price that has risen since the plan must be refused.
        maxPriceUsdg: formatUnits(price, 6),
        pressId: press.pressId,
        renew,
        onStep({ kind }) {
          isSent ||= kind === "sending";
        },
      });
    } finally {
      if (isSent) reserved.set(press.pressId, kept + needed);
      else left += needed;
    }
  }

  return buy;
}

/**
 * Makes a tool's answer. MCP clients refuse an answer with a field that the tool's schema does not name, so fields that a newer service has
 * added are removed.
 */
function makeToolResult(
  answer: object,
  { outputSchema }: { readonly outputSchema: z.ZodObject },
): CallToolResult {
  const content = outputSchema.parse(answer);
  return { content: [{ type: "text", text: JSON.stringify(content) }], structuredContent: content };
}

/**
 * Converts the service's refusal to a tool result, so that the model can act on the refusal. The result's field `money` says what was
 * charged.
 */
async function catchRefusals(operation: () => Promise<CallToolResult>): Promise<CallToolResult> {
  try {
    return await operation();
  } catch (error) {
    if (!(error instanceof MarketError)) throw error;
    const { code, message, money, retryAfter } = error;
    const refusal = { code, error: message, money, ...(retryAfter !== undefined && { retryAfter }) };
    return {
      content: [{ type: "text", text: JSON.stringify(refusal) }],
      structuredContent: refusal,
      isError: true,
    };
  }
}
