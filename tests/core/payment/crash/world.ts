import { BatchWriteCommand, DynamoDBDocumentClient, ScanCommand } from "@aws-sdk/lib-dynamodb";
import { HDKey, hdKeyToAccount, privateKeyToAddress } from "viem/accounts";
import { encodeFunctionData, hexToBytes, keccak256, numberToHex, stringToHex } from "viem/utils";
import { openChain } from "../../../../core/adapter/chain/index.ts";
import { erc20Abi } from "../../../../core/chain/abi.ts";
import { result } from "../../../../core/chain/call.ts";
import { mainnet } from "../../../../core/chain/deployment.ts";
import { HashInput, type Hex, lower } from "../../../../core/chain/hex.ts";
import type { PaymentPorts } from "../../../../core/payment/index.ts";
import type { Leg } from "../../../../core/payment/schema.ts";
import type { RpcCall } from "../../../../core/port/chain.ts";
import { ensureTable } from "../../../../local/database/index.ts";
import { type Manners, roughManners } from "../../../../local/devnet/provider.ts";
import { makeDice } from "../../../../local/stand-in.ts";
import { expectFunds, makeGrantCalls } from "../../../support/crowd.ts";
import {
  listPress,
  type Payments,
  permit2,
  startPayments,
  testAccount,
  treasury,
  usdg,
} from "../../../support/payment.ts";
import { roughSeed, startRoughProvider } from "../../../support/rough.ts";
import { closePlaces, openPlace, type Place, slowness } from "./place.ts";

/** The payer's USDG at the start, which is enough for two charges of the whole price. */
const funds = 1_000_000n;

/** The price of a press and of its two legs, in base units. */
const priceUnits = 250_000n;
export const amounts: Readonly<Record<Leg, bigint>> = { fee: 25_000n, publisher: 225_000n };

export const publisher = testAccount(4);
export const maxUint = 2n ** 256n - 1n;
const family = HDKey.fromMasterSeed(hexToBytes(keccak256(stringToHex("payers"))));

/** One chain and one database for all test cases. */
export type World = Awaited<ReturnType<typeof startWorld>>;

/** `presses` is the maximum number of test cases that share a table: each case has its own press. */
export async function startWorld(presses: number) {
  const payments = await startPayments();
  const { database, name } = payments.store;
  const pressIds: number[] = [];
  while (pressIds.length < presses) pressIds.push(await listPress(payments, publisher, priceUnits));
  const documents = DynamoDBDocumentClient.from(database.client);
  const { Items: shelf = [] } = await documents.send(new ScanCommand({ TableName: name }));
  const provider =
    roughSeed === undefined
      ? undefined
      : await startRoughProvider(
          payments.devnet.rpcUrl,
          shortenDelay(roughManners(makeDice(roughSeed, "chain"))),
        );
  let tables = 0;
  let payers = 0;

  return {
    ...payments,
    /**
     * Payers who are about to pay a leg, each with its own press and relayer, in a separate table, because a reconciler whose clock is
     * ahead must not see the payments of other test cases.
     */
    async open(leg: Leg, node: Place["node"], count: number): Promise<readonly Case[]> {
      tables += 1;
      const table = `table-${tables}`;
      await ensureTable(database.endpoint, table);
      const puts = shelf.map((Item) => ({ PutRequest: { Item } }));
      await documents.send(new BatchWriteCommand({ RequestItems: { [table]: puts } }));
      const cases = pressIds.slice(0, count).map((pressId) => openCase(leg, node, table, pressId));
      await fundCases(cases);
      if (leg === "publisher") await Promise.all(cases.map(recordFee));
      return cases;
    },
    /** The same test case on an unreliable node, whose faults follow the run's random seed. */
    roughly(one: Case): Case {
      return provider === undefined ? one : { ...one, place: { ...one.place, rpcUrl: provider.endpoint } };
    },
    async stop() {
      closePlaces();
      await provider?.stop();
      await payments.stop();
    },
  };

  function openCase(leg: Leg, node: Place["node"], table: string, pressId: number): Case {
    payers += 1;
    const relayerKey = keccak256(stringToHex(`relayer ${payers}`));
    const payer = hdKeyToAccount(family, { addressIndex: payers });
    const { rpcUrl } = payments.devnet;
    const ends = { rpcUrl, endpoint: database.endpoint, table, treasury, relayerKey, node };
    const place = { ...ends, since: Date.now(), ahead: 0 };
    return { ports: openPlace(place), place, payer, leg, pressId, funds };
  }

  /** Gives payers USDG and an allowance for Permit2, and gives relayers gas. */
  async function fundCases(cases: readonly Case[]): Promise<void> {
    const gas = numberToHex(10n ** 18n);
    const calls = cases.flatMap(({ payer: { address: payer }, place }) => [
      { method: "anvil_setBalance", params: [payer, gas] },
      { method: "anvil_setBalance", params: [privateKeyToAddress(place.relayerKey), gas] },
      ...makeGrantCalls(payer, funds),
    ]);
    await payments.ports.chain.batch(calls);
    const [first] = cases;
    if (first !== undefined) await expectFunds(payments, first.payer.address, funds);
  }
}

/** Shortens the provider's delays by the factor by which the clocks of these tests are slowed. */
function shortenDelay(manners: Manners): Manners {
  return { ...manners, lag: () => manners.lag() / slowness };
}

/** Sends transactions that need no signature, and waits until all transactions are mined. */
export async function sendAll({ devnet, client }: Payments, calls: readonly RpcCall[]): Promise<void> {
  // A new connection is used, because the node may close an idle connection, and a call that sends a transaction is not repeated.
  const outcomes = await openChain([devnet.rpcUrl]).batch(calls);
  await client.mine({ blocks: 1 });
  for (const [index, outcome] of outcomes.entries()) {
    if (calls[index]?.method !== "eth_sendTransaction") continue;
    const hash = result(outcome, HashInput);
    const { status } = await client.waitForTransactionReceipt({ hash });
    if (status !== "success") throw new Error(`Reverted: ${hash}`);
  }
}

/** Records the fee as paid, because the payment to the publisher requires a paid fee. */
async function recordFee({ ports, payer, pressId }: Case): Promise<void> {
  const { agent, settlement } = ports.table.entities;
  const { data } = await agent.get({ pressId }).go({ consistent: true });
  if (data === null) throw new Error("Every case has its press");
  const { publisher: _, ...frozen } = data;
  await settlement
    .create({
      ...frozen,
      wallet: lower(payer.address),
      leg: "fee",
      state: "settled",
      settledAt: "2026-11-20T12:00:00.000Z",
      claim: "earlier",
      claimUntil: 0,
      signed: {
        method: "permit2",
        chainId: mainnet.chainId,
        token: mainnet.contracts.usdg,
        spender: mainnet.contracts.exactProxy,
        nonce: "0",
        amount: String(amounts.fee),
        payTo: treasury,
        deadline: "0",
        validAfter: "0",
        signature: "0x",
        block: 0,
      },
      txHash: "0x",
      changedAt: 0,
    })
    .go();
}

/** A transaction from any address, because the devnet asks for no signature. */
export function makeUnsignedCall(from: Hex, to: Hex, data: Hex): RpcCall {
  return { method: "eth_sendTransaction", params: [{ from, to, data }] };
}

/** Lets Permit2 move this amount of the payer's USDG. */
export function makeAllowanceCall(payer: Hex, amount: bigint): RpcCall {
  return makeUnsignedCall(
    payer,
    usdg,
    encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [permit2, amount] }),
  );
}

export type Case = {
  readonly ports: PaymentPorts;
  readonly place: Place;
  readonly payer: ReturnType<typeof hdKeyToAccount>;
  /** The leg that is paid in this test case; the fee is already paid if the leg is the publisher's. */
  readonly leg: Leg;
  readonly pressId: number;
  readonly funds: bigint;
};
