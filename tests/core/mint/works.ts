import { openChain } from "../../../core/adapter/chain/index.ts";
import { mainnet } from "../../../core/chain/deployment.ts";
import { type Address, type Hex, lower } from "../../../core/chain/hex.ts";
import type { MintOrder } from "../../../core/mint/schema.ts";
import type { Queue } from "../../../core/port/cloud.ts";
import { makeMetaUrl } from "../../../core/press/links.ts";
import { save } from "../../../core/press/own.ts";
import type { VerdictMessage } from "../../../core/verdict/schema.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { startTestDevnet, type TestDevnet } from "../../support/devnet.ts";
import { register } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { approve, makeDraft, makeManualClock, makeMarket } from "../press/newsroom.ts";
import { settings as stage } from "../session/settings.ts";

export const origin = "https://news.example";
export const registry = mainnet.contracts.identityRegistry;

export const publisherAccount = getTestAccount(1);
export const publisher = lower(publisherAccount.address);
export const strangerAccount = getTestAccount(2);

const settings = { ...stage, origin };

export type Delivery<Order> = { readonly order: Order; readonly delaySeconds: number };

/** A queue that records the sent messages, and passes each message to a worker if there is one. */
export function makeRecordingQueue<Order = MintOrder>(worker?: (order: Order) => Promise<void>) {
  const sent: Delivery<Order>[] = [];
  const queue: Queue<Order> = {
    async send(order, { delaySeconds = 0 } = {}) {
      sent.push({ order, delaySeconds });
      await worker?.(order);
    },
  };
  return { ...queue, sent };
}

/** Everything that minting needs: a table, the devnet, a market whose price is 327.2 USD, and queues that record their messages. */
export async function startMintSetup(devnet: TestDevnet) {
  const price: { now: number | undefined } = { now: 327.2 };
  const storage = await startTestTable();
  return {
    storage,
    stop: storage.stop,
    table: storage.table,
    clock: makeManualClock(),
    chain: openChain([devnet.rpcUrl]),
    market: makeMarket(price),
    mints: makeRecordingQueue(),
    verdicts: makeRecordingQueue<VerdictMessage>(),
    settings,
    price,
  };
}
export type MintSetup = Awaited<ReturnType<typeof startMintSetup>>;

/** Provides a devnet for the tests of a file, and a new setup for each test. */
export function provideMints() {
  const devnet = startPart(startTestDevnet);
  return { devnet, room: startPart(() => startMintSetup(devnet), { each: true }) };
}

/** Saves and approves a press of the publisher, and returns its id. */
export async function makeApprovedPress(setup: MintSetup, wallet: Address = publisher): Promise<number> {
  const { id } = await save(setup, wallet, makeDraft());
  await approve(setup, id);
  return id;
}

type Account = ReturnType<typeof getTestAccount>;

/** Registers an identity with this URI, and returns the transaction's hash. */
export async function registerUri(devnet: TestDevnet, account: Account, uri: string): Promise<Hex> {
  return (await register(devnet, account, uri)).txHash;
}

/** Makes the message that a publisher's request sends to the worker. */
export function makeOrder(id: number, txHash: Hex, wallet: Address = publisher): MintOrder {
  return { id, txHash, wallet, attempt: 0 };
}

/** Mints an identity with the right URI, as a publisher does. */
export async function mint(devnet: TestDevnet, id: number): Promise<Hex> {
  return registerUri(devnet, publisherAccount, makeMetaUrl(origin, id));
}
