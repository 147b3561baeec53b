import { keccak256, stringToBytes } from "viem/utils";
import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import * as Market from "../market/index.ts";
import type { Clock } from "../port/clock.ts";
import type { MarketData } from "../port/market.ts";
import { dayOf } from "../quota/index.ts";
import type { Table } from "../table.ts";
import { refused, transact } from "../transact.ts";
import type { PressItem } from "./entity.ts";
import type { SaveInput } from "./schema.ts";
import { countWords, minutesToRead } from "./text.ts";

type Ports = { readonly table: Table; readonly clock: Clock; readonly market: MarketData };

/** New drafts for a wallet and UTC day (specification §8). */
export const draftsPerDay = 20;

/** How often an update begins again because another save of the same press came first. */
const updateAttempts = 5;

/**
 * Creates a draft, or replaces the caller's own, which then must be audited again (specification §3, §4.8).
 *
 * Throws `input` `unknown_stock` or `unknown_generation`, `limit` `draft_limit`, `missing` `unknown_press` for an id
 * that is not the caller's, and `conflict` `press_live`.
 */
export async function save(
  ports: Ports,
  wallet: Address,
  input: SaveInput,
): Promise<{ readonly id: number }> {
  if (input.generationId !== undefined) {
    throw new AppError("input", "unknown_generation", "generationId: there is no such AI draft of yours.");
  }
  await checkStock(ports, input.stock);
  const id =
    input.id === undefined
      ? await create(ports, wallet, input)
      : await update(ports, wallet, input.id, input);
  return { id };
}

async function checkStock(ports: Ports, symbol: string): Promise<void> {
  const stocks = await Market.stocks(ports);
  if (stocks.some((stock) => stock.symbol === symbol)) return;
  throw new AppError(
    "input",
    "unknown_stock",
    `stock: there is no active stock token ${symbol} on this chain.`,
  );
}

async function create(ports: Ports, wallet: Address, input: SaveInput): Promise<number> {
  const { table, clock } = ports;
  const now = clock.now();
  const today = dayOf(now);
  const id = await nextId(table);
  const createdAt = new Date(now).toISOString();
  const outcome = await transact(clock, () =>
    table.transaction
      .write(({ quota, press, body }) => [
        quota
          .update({ wallet, kind: "draft", day: today.name })
          .add({ used: 1 })
          .set({ expiresAt: today.expiresAt })
          .where(({ used }, { lt, notExists }) => `${notExists(used)} OR ${lt(used, draftsPerDay)}`)
          .commit(),
        press
          .create({
            id,
            publisher: wallet,
            ...contents(input),
            aiAssisted: false,
            createdAt,
            updatedAt: createdAt,
            revision: 1,
            auditCount: 0,
            votesUp: 0,
            votesDown: 0,
            tags: {},
            reads: 0,
          })
          .commit(),
        body.create({ id, revision: 1, body: input.body }).commit(),
      ])
      .go(),
  );
  if (refused(outcome, 0)) {
    throw new AppError("limit", "draft_limit", `At most ${draftsPerDay} new drafts a day. Days are UTC.`, {
      retryAfter: today.left,
    });
  }
  if (outcome.canceled) throw busy(outcome);
  return id;
}

async function nextId(table: Table): Promise<number> {
  const { data } = await table.entities.counter
    .upsert({ name: "press" })
    .add({ last: 1 })
    .go({ response: "all_new" });
  return data.last;
}

async function update(ports: Ports, wallet: Address, id: number, input: SaveInput): Promise<number> {
  const { table, clock } = ports;
  for (let left = updateAttempts; left > 0; left -= 1) {
    const { revision } = await editable(table, wallet, id);
    const outcome = await transact(clock, () =>
      table.transaction
        .write(({ press, body }) => [
          press
            .patch({ id })
            .set({
              ...contents(input),
              updatedAt: new Date(clock.now()).toISOString(),
              revision: revision + 1,
            })
            .remove(["audit", "publisherHolds"])
            .where(
              ({ status, revision: stored }, { eq, ne }) =>
                `${ne(status, "live")} AND ${eq(stored, revision)}`,
            )
            .commit(),
          body.put({ id, revision: revision + 1, body: input.body }).commit(),
        ])
        .go(),
    );
    if (!outcome.canceled) return id;
    if (!refused(outcome, 0)) throw busy(outcome);
  }
  throw busy();
}

/** The caller's own press, not live. Another's is as unknown as none (design §2). */
async function editable(table: Table, wallet: Address, id: number): Promise<PressItem> {
  const { data } = await table.entities.press.get({ id }).go({ consistent: true });
  if (data === null || data.publisher !== wallet) {
    throw new AppError("missing", "unknown_press", "You have no press with this id.");
  }
  if (data.status === "live") {
    throw new AppError("conflict", "press_live", "This press is live and can no longer be edited.");
  }
  return data;
}

/** What a save decides, whether the press is new or not. */
function contents(input: SaveInput) {
  return {
    status: "draft",
    headline: input.headline,
    preview: input.preview,
    stock: input.stock,
    publisherName: input.publisherName,
    priceUnits: String(input.priceUsdg),
    readMinutes: minutesToRead(countWords(input.body)),
    contentHash: keccak256(stringToBytes(input.body)),
  } as const;
}

function busy(cause?: unknown): AppError {
  return new AppError("upstream", "press_busy", "This cannot be saved right now. Try again shortly.", {
    cause,
    retryAfter: 1,
  });
}
