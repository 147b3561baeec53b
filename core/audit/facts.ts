import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import { erc20Abi } from "../chain/abi.ts";
import { Bytes, result } from "../chain/call.ts";
import { toAddress } from "../chain/hex.ts";
import * as Draft from "../draft/index.ts";
import * as Market from "../market/index.ts";
import type { Stock } from "../market/schema.ts";
import type { Chain } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { MarketData } from "../port/market.ts";
import { sketchOf } from "../press/index.ts";
import type { Table } from "../table.ts";
import { transact } from "../transact.ts";
import { delisted, editedMeanwhile, running } from "./error.ts";
import type { AuditFacts, AuditOrder, Evidence } from "./schema.ts";
import { similar } from "./similar.ts";

type Ports = {
  readonly table: Table;
  readonly clock: Clock;
  readonly market: MarketData;
  readonly chain: Chain;
};

/**
 * What a run is about: the text at one revision, the stock's quote, the publisher's balance of its token at the latest
 * block, what its AI draft was written from, and live presses like it. Throws `conflict` when the press is no longer
 * held by this run, or `stock_delisted`, and `upstream` when market or chain cannot be asked.
 */
export async function gather(ports: Ports, order: AuditOrder): Promise<Evidence> {
  const { press, body } = await read(ports, order.id);
  if (press.auditRun !== order.run) throw running();
  const stock = listed(await Market.stocks(ports), press.stock);
  const { publisher, generationId } = press;
  const [quote, balance, near, sources] = await Promise.all([
    Market.quote(ports, press.stock),
    balanceOf(ports.chain, stock.address, publisher),
    similar(ports, { ...press, sketch: sketchOf(body.body) }),
    generationId === undefined ? [] : drafted(ports, publisher, generationId),
  ]);
  return {
    order: { ...order, revision: press.revision },
    draft: {
      headline: press.headline,
      stock: press.stock,
      publisherName: press.publisherName,
      preview: press.preview,
      body: printable(body.body),
      aiAssisted: press.aiAssisted,
    },
    facts: {
      gatheredAt: new Date(ports.clock.now()).toISOString(),
      quote,
      stock,
      publisherHolds: balance > 0n,
      publisherBalance: balance.toString(),
      sources,
      similar: near,
    },
  };
}

/** Press and text as of one moment, so that they are of one revision. */
async function read({ table, clock }: Ports, id: number) {
  const found = await transact(clock, () =>
    table.transaction.get(({ press, body }) => [press.get({ id }).commit(), body.get({ id }).commit()]).go(),
  );
  if (found.canceled) throw editedMeanwhile();
  const press = found.data[0].item;
  const body = found.data[1].item;
  if (press === null || body === null) throw new TypeError(`Press ${id} or its text is not in the table`);
  return { press, body };
}

function listed(stocks: readonly Stock[], symbol: string): Stock {
  const stock = stocks.find((candidate) => candidate.symbol === symbol);
  if (stock === undefined) throw delisted();
  return stock;
}

async function balanceOf(chain: Chain, token: string, owner: string): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [toAddress(owner)] });
  const [outcome] = await chain.batch([
    { method: "eth_call", params: [{ to: toAddress(token), data }, "latest"] },
  ]);
  return decodeFunctionResult({ abi: erc20Abi, functionName: "balanceOf", data: result(outcome, Bytes) });
}

/** What an AI draft was written from, clipped to what a state machine's payload of 256 kB can carry beside the text. */
async function drafted(ports: Ports, wallet: string, generation: number): Promise<AuditFacts["sources"]> {
  const sources = await Draft.sourcesOf(ports, wallet, generation);
  return sources.slice(0, 8).map(({ title, source, link, text }) => ({
    title: title.slice(0, 300),
    source: source.slice(0, 100),
    link: link.slice(0, 500),
    text: text.slice(0, 1500),
  }));
}

/** Control characters take six bytes each in the state machine's JSON, whose payload is limited to 256 kB. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}--[\t\n]]/gv, " ");
}
