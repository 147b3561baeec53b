import { findFeeCap, NoGasError, readGasLimits } from "../gas/index.ts";
import { crowds, releaseUnsent, sendTogether, waitForKey, wakeNextWaiter } from "./crowd.ts";
import type { CarryPorts, Claim, Records, SendEnd, WaitingIntent } from "./intent.ts";
import { chooseNonce, type FreeKey, type Keys, makeLease, readItemsWithKeys, readRelayer } from "./key.ts";
import { broadcastTx, findFreeKey, makeTransaction, signTx, storeRecords } from "./outbox.ts";

/**
 * Milliseconds between two searches for a free key, for an intent that shares no transaction. Together, the pauses between the searches
 * last about five seconds.
 */
const pauses = [100, 200, 400, 800, 1_600, 2_000] as const;

/**
 * Brings an intent to the chain: claims the intent with a free key, signs the transaction, stores it, sends it, and ends the intent's
 * record according to the outcome. If all keys are leased, the intent waits. A waiting intent waits either alone, or together with other
 * intents that will share the next transaction. Every transaction is stored before it is sent. `known`: the pool of keys. `preferred`: the
 * key whose nonce and balance were already read from the chain.
 */
export async function sendIntent<Item extends Claim, Sent, Ending, Listed extends WaitingIntent>(
  ports: CarryPorts,
  records: Records<Item, Sent, Ending, Listed>,
  { keys: known, preferred }: { readonly keys: Keys; readonly preferred: string | undefined },
): Promise<Ending> {
  const { crowd } = records;
  const withoutGas = new Set<string>();
  const waiting = [...pauses];
  let keys = known;
  for (let hasWaited = false; ; hasWaited = true) {
    if (keys.addresses.every((address) => withoutGas.has(address))) return records.handleUnsent("no_gas");
    // The intent waits behind other waiting intents. The first waiting intent looks for a key and shares its transaction with this intent.
    const waits = crowd !== undefined && (crowds.get(ports.relayers)?.queue.size ?? 0) > 0;
    const key = waits ? undefined : await findFreeKey(ports, records, keys, { preferred, withoutGas });
    const claimed = key === undefined ? undefined : await records.claim(makeLease(key), hasWaited);
    if (claimed?.kind === "ended") return claimed.ending;
    let ended: SendEnd<Ending>;
    if (key !== undefined && claimed?.kind === "claimed") {
      ended =
        crowd !== undefined && key.crowdUntil > ports.clock.now()
          ? await sendTogether(ports, records, crowd, claimed.item, key)
          : await sendAlone(ports, records, claimed.item, key);
      if (ended === undefined) withoutGas.add(key.address);
    } else if (crowd !== undefined) {
      ended = await waitForKey(ports, records, crowd, withoutGas);
    } else {
      const pause = waiting.shift();
      if (pause === undefined) return records.handleUnsent("held");
      await ports.clock.sleep(Math.ceil(pause / 2) + ports.ids.pick(pause));
    }
    if (ended !== undefined) return ended.ending;
    ({ keys } = await readItemsWithKeys(ports, []));
  }
}

/** Sends a claimed intent in a separate transaction. If sending fails before the transaction is stored, the claim is released. */
async function sendAlone<Item extends Claim, Sent, Ending, Listed extends WaitingIntent>(
  ports: CarryPorts,
  records: Records<Item, Sent, Ending, Listed>,
  item: Item,
  key: FreeKey,
): Promise<SendEnd<Ending>> {
  let signed: Awaited<ReturnType<typeof signTx>>;
  let capped: bigint | undefined;
  try {
    const intent = await records.makeIntent(item, key.address);
    if ("ending" in intent) return intent;
    const { call, gas, gasPrice, asked, value = 0n, spare = 0n } = intent;
    const maxPrice = intent.maxPrice ?? readGasLimits(ports.settings).maxPrice;
    capped = intent.maxPrice;
    const relayer = await readRelayer(ports, key.address, asked);
    if (relayer.balance < findFeeCap({ gas, gasPrice, maxPrice }) + value + spare) throw new NoGasError();
    const nonce = chooseNonce(key, relayer.nonce);
    signed = await signTx(ports, key.address, { ...call, value, gas, gasPrice, nonce, maxPrice });
  } catch (cause) {
    return releaseUnsent(records, item, cause instanceof NoGasError ? "no_gas" : "unsigned", cause);
  }
  const about = {
    id: item.claim,
    relayer: key.address,
    intents: [records.nameOf(item)],
    ...(capped !== undefined && { maxPrice: String(capped) }),
  };
  const transaction = makeTransaction(ports, about, signed);
  let sent: Sent | undefined;
  try {
    [sent] = (await storeRecords(ports, records, transaction, [item])).sent;
  } catch (cause) {
    return releaseUnsent(records, item, "unsigned", cause);
  }
  if (sent === undefined) return releaseUnsent(records, item, "lapsed");
  const ending = await records.land(sent, await broadcastTx(ports, transaction));
  if (crowds.has(ports.relayers)) wakeNextWaiter(ports);
  return { ending };
}
