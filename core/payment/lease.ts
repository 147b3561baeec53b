import type { Address } from "../chain/hex.ts";
import { type FreeRelayer, free, lapsed } from "../relayer/index.ts";
import { type Relayer, relayerCalls, relayerIn } from "./inspect.ts";
import { type Asked, type Known, known } from "./known.ts";
import type { PaymentPorts } from "./ports.ts";
import { type Claim, claim, type NewClaim } from "./record.ts";
import { isSent, resolve } from "./resolve.ts";
import { busy, readState, type State } from "./state.ts";

/** A claim that is ours, with the relayer that it holds. */
export type Leased = Extract<Claim, { kind: "claimed" }> & { readonly relayer: FreeRelayer };

/** What came instead: it is settled already, or the permit belongs elsewhere. */
export type NotLeased = Extract<Known, { kind: "settled" }> | Extract<Claim, { kind: "permit_bound" }>;

/** Milliseconds between tries for a relayer, and how many tries one request makes. */
const pause = 100;
const tries = 60;

/** A relayer to ask the chain about, `undefined` when all are held. Any will do, as long as requests differ. */
export function pick(
  { ids }: Pick<PaymentPorts, "ids">,
  choices: readonly FreeRelayer[],
): FreeRelayer | undefined {
  return choices.length === 0 ? undefined : choices[ids.pick(choices.length)];
}

/**
 * Claims the settlement together with a relayer, `preferred` if it is free, never one of `dry`. Waits a while when all
 * are held. Throws `upstream` `payments_unavailable` when none comes free: nothing is claimed then.
 */
export async function lease(
  ports: PaymentPorts,
  first: State,
  order: Omit<NewClaim, "agent" | "relayer"> & { readonly asked: Asked; readonly preferred: Address },
  dry: ReadonlySet<Address>,
): Promise<Leased | NotLeased> {
  const addresses = (await ports.relayers.addresses()).filter((address) => !dry.has(address));
  if (addresses.length === 0) throw busy(new Error("No relayer has gas left"), 30);
  let state = first;
  for (let attempt = 0; attempt < tries; attempt += 1) {
    const choices = free(addresses, state.relayers, ports.clock.now());
    const relayer = choices.find(({ address }) => address === order.preferred) ?? pick(ports, choices);
    if (relayer === undefined) {
      await freeLapsed(ports, state);
      await ports.clock.sleep(pause);
    } else {
      const outcome = await claim(ports, { ...order, agent: state.agent, relayer });
      if (outcome.kind === "claimed") return { ...outcome, relayer };
      if (outcome.kind === "permit_bound") return outcome;
    }
    const now = await known(ports, await readState(ports, state.key), order.asked);
    if (now.kind === "settled") return now;
    state = now.state;
  }
  throw busy(new Error("All relayers are held"));
}

/** A leased relayer as the chain knows it: from what was asked already, or asked now. */
export async function relayerNow(
  { chain }: Pick<PaymentPorts, "chain">,
  { address }: FreeRelayer,
  asked: Relayer,
): Promise<Relayer> {
  return asked.address === address ? asked : relayerIn(address, await chain.batch(relayerCalls(address)));
}

/** All are held: end what one that was left behind has in flight, so that it comes free. */
async function freeLapsed(ports: PaymentPorts, { relayers }: State): Promise<void> {
  const [stale] = lapsed(relayers, ports.clock.now());
  if (stale === undefined) return;
  const { data } = await ports.table.entities.settlement.get(stale).go({ consistent: true });
  if (data !== null && isSent(data)) await resolve(ports, data);
}
