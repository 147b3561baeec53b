import { decodeEventLog, encodeEventTopics } from "viem/utils";
import { identityAbi } from "../chain/abi.ts";
import { type Address, type Hex, lower } from "../chain/hex.ts";
import { blocksSince, eventsIn } from "../chain/scan.ts";
import type { Chain } from "../port/chain.ts";
import type { Clock } from "../port/clock.ts";
import type { Queue } from "../port/cloud.ts";
import type { Settings } from "../port/settings.ts";
import { metaUrl, pathId } from "../press/index.ts";
import type { Table } from "../table.ts";
import { take } from "./claim.ts";
import type { MintOrder } from "./schema.ts";

type Ports = {
  readonly table: Table;
  readonly clock: Clock;
  readonly chain: Chain;
  readonly settings: Settings;
  readonly mints: Queue<MintOrder>;
};

/** Why a mint that was found makes no press live again. */
export const mintLeftBecause = {
  lost_draft: "the draft was made later than the copy, and its text is lost",
  not_approved: "the draft has no approval in the copy: its publisher audits it again and confirms the mint",
  not_its_publisher: "somebody else minted an identity for it",
  other_identity: "the press has another identity",
} as const;

/** An identity on the chain that names one of our presses. `ordered`: the worker confirms it now. */
export type FoundMint = {
  readonly txHash: Hex;
  readonly id: number;
  readonly pressId: number;
  readonly state: "known" | "missing" | "ordered" | keyof typeof mintLeftBecause;
};

/**
 * Finds the mints that the chain has and the table has not, as after a restore, and orders their confirmation: the worker
 * checks them like any other. May be repeated. `since` is in milliseconds; only with `write` anything is ordered. Throws
 * `upstream` when the chain cannot say.
 */
export async function repair(
  ports: Ports,
  { since, write }: { readonly since: number; readonly write: boolean },
): Promise<readonly FoundMint[]> {
  const topics = encodeEventTopics({ abi: identityAbi, eventName: "Registered" });
  const filter = { address: ports.settings.contracts.identityRegistry, topics };
  const logs = await eventsIn(ports, await blocksSince(ports, since), [filter]);
  const found: FoundMint[] = [];
  for (const { transactionHash: txHash, topics: indexed, data } of logs) {
    const { args } = decodeEventLog({ abi: identityAbi, eventName: "Registered", topics: indexed, data });
    if (!("agentURI" in args)) continue;
    const id = pathId(args.agentURI.split("/").pop());
    if (id === undefined || args.agentURI !== metaUrl(ports.settings.origin, id)) continue;
    const mint = { txHash, id, pressId: Number(args.agentId) };
    found.push({ ...mint, state: await repairOne(ports, mint, lower(args.owner), write) });
  }
  return found;
}

async function repairOne(
  ports: Ports,
  { txHash, id, pressId }: Omit<FoundMint, "state">,
  owner: Address,
  write: boolean,
): Promise<FoundMint["state"]> {
  const { data: press } = await ports.table.entities.press.get({ id }).go({ consistent: true });
  if (press === null) return "lost_draft";
  if (press.publisher !== owner) return "not_its_publisher";
  if (press.status === "live") return press.pressId === pressId ? "known" : "other_identity";
  if (press.status !== "approved") return "not_approved";
  if (!write) return "missing";
  const order = await take(ports, { id, txHash, wallet: owner });
  if (order !== undefined) await ports.mints.send(order);
  return "ordered";
}
