import { decodeFunctionResult, encodeFunctionData } from "viem/utils";
import { erc20Abi } from "../chain/abi.ts";
import { Bytes, getResult, makeContractCall } from "../chain/call.ts";
import { type Address, toAddress } from "../chain/hex.ts";
import * as Draft from "../draft/index.ts";
import { AppError } from "../error.ts";
import * as Market from "../market/index.ts";
import type { Stock } from "../market/schema.ts";
import type { Chain } from "../port/chain.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import { findCarryPrice, findShare, makeSketch, type Sketch } from "../press/index.ts";
import type { PressItem } from "../record/press.ts";
import type { Table } from "../table.ts";
import { commit, transact } from "../transact.ts";
import { makeDelistedError, makeEditedError, makeMissingError, makeRunningError } from "./error.ts";
import { findSimilarPresses } from "./rule/copied.ts";
import { findNoteFault } from "./rule/index.ts";
import {
  type AuditFacts,
  type AuditOrder,
  type Dispute,
  type Disputed,
  type DisputeInput,
  type Evidence,
  FullReport,
  type SimilarPress,
} from "./schema.ts";

export { applyRules, findDraftFault, findNoteFault } from "./rule/index.ts";
export { askModel, run } from "./run.ts";
export { saveAudit } from "./store.ts";

type Ports = Pick<AllPorts, "table" | "clock" | "chain"> &
  Market.MarketPort & {
    readonly settings: Pick<Settings, "gas">;
  };

/**
 * The input of an audit run: the text at one revision, the stock's quote, the publisher's balance of the stock's token at the latest block,
 * the sources of an AI draft, and live presses that resemble the text. Throws `conflict` when the stock is delisted or another audit of the
 * press is running, and `upstream` when the market or the chain does not answer.
 */
export async function gatherEvidence(ports: Ports, order: AuditOrder): Promise<Evidence> {
  const { press, body } = await readPress(ports, order.id);
  if (press.auditRun !== order.run) throw makeRunningError();
  const stock = findStock(await Market.listStocks(ports), press.stock);
  const { publisher, generationId } = press;
  const [quote, balance, near, sources] = await Promise.all([
    Market.loadQuote(ports, press.stock),
    readBalance(ports.chain, stock.address, publisher),
    findSimilar(ports, { ...press, sketch: makeSketch(body.body) }),
    generationId === undefined ? [] : readSources(ports, publisher, generationId),
  ]);
  const carrying = await findCarryPrice(ports);
  return {
    order: { ...order, revision: press.revision },
    draft: {
      headline: press.headline,
      stock: press.stock,
      publisherName: press.publisherName,
      preview: press.preview,
      // Each control character takes six bytes in the state machine's JSON payload, which is limited to 256 kB.
      body: body.body.replace(/[\p{Cc}--[\t\n]]/gv, " "),
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
      price: { units: press.priceUnits, carrying: String(carrying) },
    },
  };
}

/** Reads a press and its text at the same moment, so that both have the same revision. */
async function readPress({ table, clock }: Ports, id: number) {
  const found = await transact(clock, () =>
    table.transaction.get(({ press, body }) => [press.get({ id }).commit(), body.get({ id }).commit()]).go(),
  );
  if (found.canceled) throw makeEditedError();
  const press = found.data[0].item;
  const body = found.data[1].item;
  if (press === null || body === null) throw new TypeError(`Press ${id} or its text is not in the table`);
  return { press, body };
}

function findStock(stocks: readonly Stock[], symbol: string): Stock {
  const stock = stocks.find((candidate) => candidate.symbol === symbol);
  if (stock === undefined) throw makeDelistedError();
  return stock;
}

async function readBalance(chain: Chain, token: string, owner: string): Promise<bigint> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [toAddress(owner)] });
  const [outcome] = await chain.batch([makeContractCall(toAddress(token), data)]);
  return decodeFunctionResult({ abi: erc20Abi, functionName: "balanceOf", data: getResult(outcome, Bytes) });
}

/** The sources of an AI draft, shortened so that sources and text together fit into a state machine's payload of 256 kB. */
async function readSources(ports: Ports, wallet: string, generation: number): Promise<AuditFacts["sources"]> {
  const sources = await Draft.loadSources(ports, wallet, generation);
  return sources.slice(0, 8).map(({ title, source, link, text }) => ({
    title: title.slice(0, 300),
    source: source.slice(0, 100),
    link: link.slice(0, 500),
    text: text.slice(0, 1500),
  }));
}

/**
 * The maximum number of times that a publisher may add, change or withdraw an answer to one report. This limit is higher than the number of
 * findings in any report, so the publisher can also correct answers.
 */
const changeLimit = 60;
const attempts = 3;

/**
 * Lets a publisher answer a finding in one sentence. The finding must be in the latest report on the publisher's own press. If `text` is
 * null, the answer is withdrawn. The publisher's answer is stored beside the audit report, and shown with the report. A publisher's answer
 * changes neither the verdict nor the score of the audit. Once the press is live, answers cannot change, because the verdict on the chain
 * carries the hash of the report with its answers. The audit's rules for wording check the answer, as they check a correction.
 *
 * Throws `unknown_press` (`missing`), `press_live`, `report_changed` and `dispute_overtaken` (all three `conflict`), `unknown_finding` and
 * `note_refused` (both `input`), and `dispute_limit` (`limit`).
 */
export async function disputeFinding(
  ports: Pick<AllPorts, "table" | "clock">,
  wallet: Address,
  input: DisputeInput,
): Promise<Disputed> {
  for (let left = attempts; left > 0; left -= 1) {
    const { stock, audit, disputes, changes } = await findReport(ports.table, wallet, input);
    if (input.text !== null) await checkWording(ports, stock, input.text);
    const others = disputes.filter(({ issue }) => issue !== input.issue);
    const at = new Date(ports.clock.now()).toISOString();
    const answered =
      input.text === null
        ? others
        : [...others, { issue: input.issue, text: input.text, at }].toSorted(
            (one, other) => one.issue - other.issue,
          );
    const written = await commit(ports, (entities) => ({
      press: entities.press
        .check({ id: input.id })
        .where(({ status }, { ne }) => ne(status, "live"))
        .commit(),
      audit: entities.audit
        .patch({ id: input.id, number: audit })
        .set({ disputes: [...answered], disputeChanges: changes + 1 })
        .where(({ disputeChanges }, { eq, notExists }) =>
          changes === 0 ? notExists(disputeChanges) : eq(disputeChanges, changes),
        )
        .commit(),
    }));
    if (written.done) return { disputes: answered };
    // If the press has gone live since it was read, the next read of the press shows the status `live`.
    if (written.refused.size === 0) throw makeOvertakenError();
  }
  throw makeOvertakenError();
}

/**
 * Checks words that a publisher adds to a press and that no audit reads. Throws `note_refused` (`input`) if a finding of the rules for
 * wording about the same words would prevent the approval of a draft.
 */
export async function checkWording(
  ports: Pick<AllPorts, "table" | "clock">,
  symbol: string,
  text: string,
): Promise<void> {
  const { stocks } = await Market.readOverview(ports);
  const name = stocks.find((stock) => stock.symbol === symbol)?.name ?? symbol;
  const fault = findNoteFault(text, { symbol, name });
  if (fault !== undefined) throw new AppError("input", "note_refused", `text: ${fault.detail}`);
}

/** The stock of the press, the report that contains the finding, and the answers that the publisher has given so far. */
async function findReport({ entities }: Table, wallet: Address, { id, auditedAt, issue }: DisputeInput) {
  const [{ data: press }, { data: audits }] = await Promise.all([
    entities.press.get({ id }).go({ consistent: true }),
    entities.audit.query.byPress({ id }).go({ order: "desc", limit: 1, consistent: true }),
  ]);
  if (press === null || press.publisher !== wallet) throw makeMissingError();
  if (press.status === "live") {
    throw new AppError(
      "conflict",
      "press_live",
      "This article is live: its report has a hash on the chain and is final.",
    );
  }
  const [latest] = audits;
  const report = latest === undefined ? undefined : FullReport.parse(latest.report);
  if (latest === undefined || report?.auditedAt !== auditedAt) {
    throw new AppError("conflict", "report_changed", "This is not the latest report. Read it again.");
  }
  if (report.issues[issue] === undefined) {
    throw new AppError("input", "unknown_finding", `issue: the report has ${report.issues.length} findings.`);
  }
  const changes = latest.disputeChanges ?? 0;
  if (changes >= changeLimit) {
    throw new AppError(
      "limit",
      "dispute_limit",
      `The answers to this report have been changed ${changeLimit} times. The next audit starts a new count.`,
      { retryAfter: 86_400 },
    );
  }
  const disputes: readonly Dispute[] = latest.disputes ?? [];
  return { stock: press.stock, audit: latest.number, disputes, changes };
}

function makeOvertakenError(): AppError {
  return new AppError("conflict", "dispute_overtaken", "The article was changed meanwhile. Try again.", {
    retryAfter: 1,
  });
}

/**
 * A draft's headline and preview are compared with this number of the stock's newest live presses. A page of the list of live presses
 * also has at most this number of presses.
 */
const looked = 200;
type EarlierPress = Pick<PressItem, "stock" | "publisher" | "headline" | "preview"> & {
  readonly sketch: Sketch;
};

/**
 * The live presses that a draft resembles most. One query finds live presses about the draft's stock, and their headlines and previews are
 * compared with the draft's headline and preview. One request to the table looks for the draft's runs of words among the stored runs of all
 * live presses, in order to find copied text.
 */
async function findSimilar(
  { table }: Pick<AllPorts, "table">,
  draft: EarlierPress,
): Promise<readonly SimilarPress[]> {
  const [{ data }, copied] = await Promise.all([
    table.entities.press.query
      .liveByStock({ stockShelf: draft.stock })
      .go({ order: "desc", limit: looked, attributes: ["id", "headline", "preview", "publisher"] }),
    findOverlaps(table, draft),
  ]);
  const others = data.map(({ id, headline, preview, publisher }) => ({
    headline,
    preview,
    own: publisher === draft.publisher,
    shared: copied.get(id)?.shared ?? 0,
  }));
  const listed = new Set(data.map(({ id }) => id));
  const elsewhere = [...copied].flatMap(([id, press]) => (listed.has(id) ? [] : [press]));
  return findSimilarPresses(draft, [...others, ...elsewhere]);
}

/** The live presses that share a stored series of words with the draft, by press id. */
async function findOverlaps(
  table: Table,
  { sketch, publisher }: EarlierPress,
): Promise<ReadonlyMap<number, SimilarPress>> {
  if (sketch.hashes.length === 0) return new Map();
  const { data } = await table.entities.run
    .get(sketch.hashes.map((hash) => ({ hash })))
    .go({ consistent: true });
  const presses = new Map(data.flatMap((run) => (run.id === undefined ? [] : [[run.id, run]])));
  return new Map(
    [...presses].map(([id, { headline = "", publisher: owner, size = 0 }]) => {
      const found = new Set(data.filter((run) => run.id === id).map(({ hash }) => hash));
      return [
        id,
        { headline, preview: "", own: owner === publisher, shared: findShare(sketch, { size }, found) },
      ];
    }),
  );
}
