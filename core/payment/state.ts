import type { Address } from "../chain/hex.ts";
import { AppError } from "../error.ts";
import type { AgentItem } from "../press/entity.ts";
import type { RelayerItem } from "../relayer/entity.ts";
import type { SessionItem } from "../session/entity.ts";
import { sessionKey } from "../session/index.ts";
import { transact } from "../transact.ts";
import type { IdentifierItem, SettlementItem } from "./entity.ts";
import type { PaymentPorts } from "./ports.ts";
import type { Leg } from "./schema.ts";

/** Everything that the table knows of a payment, in one consistent read. */
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

/** The press, both legs of the payer, and the relayers, as of one moment. Throws `missing` `unknown_press`. */
export async function readState(
  ports: Pick<PaymentPorts, "table" | "clock" | "relayers">,
  key: StateKey,
): Promise<State> {
  const { pressId, wallet, identifier, token } = key;
  const addresses = await ports.relayers.addresses();
  const read = await transact(ports.clock, () =>
    ports.table.transaction
      .get(({ agent, settlement, identifier: names, session, relayer }) => [
        agent.get({ pressId }).commit(),
        settlement.get({ wallet, pressId, leg: "fee" }).commit(),
        settlement.get({ wallet, pressId, leg: "publisher" }).commit(),
        // Nobody's name is empty, and nobody's token: without one the read finds nothing.
        names.get({ wallet, identifier: identifier ?? "" }).commit(),
        session.get(sessionKey(token ?? "")).commit(),
        ...addresses.map((address) => relayer.get({ address }).commit()),
      ])
      .go(),
  );
  if (read.canceled) throw busy();
  const [agent, fee, publisher, name, session, ...relayers] = read.data;
  return {
    key,
    agent: listed(agent.item),
    legs: { fee: fee.item ?? undefined, publisher: publisher.item ?? undefined },
    identifier: name.item ?? undefined,
    session: session.item ?? undefined,
    relayers: relayers.flatMap(({ item }) => (item === null ? [] : [item])),
  };
}

/** Whether the record's permit was broadcast and moved nothing then: whoever saw it may have settled it since, or may still. */
export function sentInVain({ state, txHash }: SettlementItem): boolean {
  return txHash !== undefined && (state === "failed" || state === "claimed");
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
