import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { AgentItem } from "../press/entity.ts";
import type { RelayerItem } from "../relayer/entity.ts";
import type { SessionItem } from "../session/entity.ts";
import { sessionKey } from "../session/index.ts";
import type { IdentifierItem, SettlementItem } from "./entity.ts";
import type { PaymentPorts } from "./ports.ts";
import type { Leg } from "./schema.ts";

/** Everything that the table knows of a payment, each item as of its own moment. */
export type State = {
  readonly key: StateKey;
  readonly agent: AgentItem;
  readonly legs: Readonly<Record<Leg, SettlementItem | undefined>>;
  readonly relayers: readonly RelayerItem[];
  /** What the payer's name for this attempt was first used for. */
  readonly identifier: IdentifierItem | undefined;
  /** The session that the request came with, living or not. */
  readonly session: SessionItem | undefined;
};

/** Whose state of which press is asked for, under which name for the attempt, and with which session's token. */
export type StateKey = {
  readonly pressId: number;
  readonly wallet: Address;
  readonly identifier: string | undefined;
  readonly token: string | undefined;
};

/** The press's frozen facts by agent id. Throws `missing` `unknown_press` where no live press has it. */
export async function findAgent({ table }: Pick<PaymentPorts, "table">, pressId: number): Promise<AgentItem> {
  const { data } = await table.entities.agent.get({ pressId }).go({ consistent: true });
  return listed(data);
}

/** The press, both legs of the payer, and the relayers, in one consistent request. Throws `missing` `unknown_press`. */
export async function readState(
  ports: Pick<PaymentPorts, "table" | "relayers">,
  key: StateKey,
): Promise<State> {
  const { pressId, wallet, identifier, token } = key;
  const addresses = await ports.relayers.addresses();
  const { agent, settlement, identifier: names, session, relayer } = ports.table.entities;
  const [press, fee, publisher, name, opened, ...keys] = await ports.table.together([
    agent.get({ pressId }).params(),
    settlement.get({ wallet, pressId, leg: "fee" }).params(),
    settlement.get({ wallet, pressId, leg: "publisher" }).params(),
    // Nobody's name is empty, and nobody's token: without one the read finds nothing.
    names.get({ wallet, identifier: identifier ?? "" }).params(),
    session.get(sessionKey(token ?? "")).params(),
    ...addresses.map((address) => relayer.get({ address }).params()),
  ]);
  const legOf = (item: typeof fee) =>
    item === undefined ? undefined : (settlement.parse(item).data ?? undefined);
  return {
    key,
    agent: listed(press === undefined ? null : agent.parse(press).data),
    legs: { fee: legOf(fee), publisher: legOf(publisher) },
    identifier: name === undefined ? undefined : (names.parse(name).data ?? undefined),
    session: opened === undefined ? undefined : (session.parse(opened).data ?? undefined),
    relayers: keys.flatMap((item) => (item === undefined ? [] : (relayer.parse(item).data ?? []))),
  };
}

/** One leg and the relayers, for one who waits for a turn. One request. */
export async function readTurn(
  ports: Pick<PaymentPorts, "table" | "relayers">,
  { wallet, pressId, leg }: SettlementItem,
): Promise<{ readonly item: SettlementItem | undefined; readonly relayers: readonly RelayerItem[] }> {
  const { settlement, relayer } = ports.table.entities;
  const addresses = await ports.relayers.addresses();
  const [item, ...keys] = await ports.table.together([
    settlement.get({ wallet, pressId, leg }).params(),
    ...addresses.map((address) => relayer.get({ address }).params()),
  ]);
  return {
    item: item === undefined ? undefined : (settlement.parse(item).data ?? undefined),
    relayers: keys.flatMap((found) => (found === undefined ? [] : (relayer.parse(found).data ?? []))),
  };
}

/** Legs as they are now, those that exist. One request for every hundred. */
export async function readLegs(
  { table }: Pick<PaymentPorts, "table">,
  keys: readonly Pick<SettlementItem, "wallet" | "pressId" | "leg">[],
): Promise<readonly SettlementItem[]> {
  if (keys.length === 0) return [];
  const named = keys.map(({ wallet, pressId, leg }) => ({ wallet, pressId, leg }));
  const { data } = await table.entities.settlement.get(named).go({ consistent: true });
  return data;
}

/**
 * Whether the wallet has unlocked the press: its publisher leg is settled. `pressId` is the agent id. One consistent
 * read.
 */
export async function hasUnlocked(
  { table }: Pick<PaymentPorts, "table">,
  wallet: Address,
  pressId: number,
): Promise<boolean> {
  const { data } = await table.entities.settlement
    .get({ wallet, pressId, leg: "publisher" })
    .go({ consistent: true });
  return data?.state === "settled";
}

/** Whether the record's permit was broadcast and moved nothing then: whoever saw it may have settled it since, or may still. */
export function sentInVain({ state, txHash }: SettlementItem): boolean {
  return txHash !== undefined && (state === "failed" || state === "queued");
}

function listed(agent: AgentItem | null): AgentItem {
  if (agent === null) throw new AppError("missing", "unknown_press", "No live press has this pressId.");
  return agent;
}

/** Nothing was charged, and another try may succeed after so many seconds. */
export function busy(cause?: unknown, retryAfter = 1): AppError {
  return new AppError(
    "upstream",
    "payments_unavailable",
    "Payments are temporarily unavailable. Nothing was charged.",
    {
      retryAfter,
      cause,
    },
  );
}
