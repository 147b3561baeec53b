import { setTimeout as delay } from "node:timers/promises";
import type { DynamoDBClient } from "@aws-sdk/client-dynamodb";
import { DynamoDBDocumentClient } from "@aws-sdk/lib-dynamodb";
import { privateKeyToAccount } from "viem/accounts";
import * as z from "zod";
import { openChain } from "../../../../core/adapter/chain/index.ts";
import { systemIds } from "../../../../core/adapter/system.ts";
import { mainnet } from "../../../../core/chain/deployment.ts";
import { AddressInput, HexInput, lower } from "../../../../core/chain/hex.ts";
import type { PaymentPorts } from "../../../../core/payment/index.ts";
import type { Chain, Signer } from "../../../../core/port/chain.ts";
import type { Clock } from "../../../../core/port/clock.ts";
import { openTable, type Table } from "../../../../core/table.ts";
import { openTestClient } from "../../../support/database.ts";
import { watchChain, watchSigner, watchTable } from "./watch.ts";

/** All data that a process needs to open its ports, in a form that can be sent to another process. */
export const Place = z.object({
  rpcUrl: z.string(),
  endpoint: z.string(),
  table: z.string(),
  treasury: AddressInput,
  /** The private key of the only relayer, so that no other key is free after a death. */
  relayerKey: HexInput,
  /** Whether the node answers a transaction with its receipt (EIP-7966), or must be polled for the receipt. */
  node: z.enum(["answers", "is polled"]),
  /** The time from which the clock runs slowly, in milliseconds since the Unix epoch. */
  since: z.number(),
  /** The milliseconds by which the clock runs ahead. */
  ahead: z.number(),
});
export type Place = z.infer<typeof Place>;

/** The opened tables, keyed by name and kept because opening all entities takes longer than a payment. */
const tables = new Map<string, Table>();
const clients = new Map<string, DynamoDBClient>();

/** Opens the real ports; `watching` sees every call on the ports. */
export function openPlace(place: Place): PaymentPorts {
  const times = { batch: slowness * 20_000, trip: slowness * 10_000 };
  const chain = makeSteadyChain(openChain([place.rpcUrl], { times }));
  return {
    table: openPlaceTable(place),
    clock: makePatientClock(place),
    ids: systemIds,
    settings: {
      origin: "http://localhost:3000",
      chainId: mainnet.chainId,
      chainName: mainnet.name,
      contracts: mainnet.contracts,
      treasury: lower(place.treasury),
    },
    chain: watchChain(place.node === "answers" ? chain : makePolledChain(chain)),
    relayers: watchSigner(openSigner(place.relayerKey)),
    meter: { count: () => undefined },
  };
}

/** Closes the connections of all opened ports. */
export function closePlaces(): void {
  for (const client of clients.values()) client.destroy();
  clients.clear();
  tables.clear();
  signers.clear();
}

function openPlaceTable({ endpoint, table: name }: Place): Table {
  const key = `${endpoint}/${name}`;
  const table = tables.get(key) ?? openTable(openDocuments(endpoint), name);
  tables.set(key, table);
  return table;
}

function openDocuments(endpoint: string): DynamoDBDocumentClient {
  const client = clients.get(endpoint) ?? openTestClient(endpoint);
  if (!clients.has(endpoint)) watchTable(client);
  clients.set(endpoint, client);
  return DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });
}

/**
 * The maximum real time of a pause in milliseconds, however long the pause is on the slow clock. Polling the chain every 100 ms thus runs
 * in real time, as the chain does.
 */
const longestPause = 100;

/** The factor by which the clock runs slower than real time, so that time limits of seconds also hold on a busy machine. */
export const slowness = 10;

/** A clock on which work takes little time. A pause takes its full time, so that a lease can expire within a test. */
function makePatientClock({ since, ahead }: Place): Clock {
  let offset = ahead;
  return {
    now: () => Math.floor(since + (Date.now() - since) / slowness + offset),
    async sleep(milliseconds) {
      const pause = Math.min(milliseconds, longestPause);
      offset += milliseconds - pause / slowness;
      await delay(pause);
    },
  };
}

/** The signers, keyed by relayer key and kept because deriving an address takes longer than signing. */
const signers = new Map<Place["relayerKey"], Signer>();

function openSigner(key: Place["relayerKey"]): Signer {
  const signer = signers.get(key) ?? makeKeySigner(key);
  signers.set(key, signer);
  return signer;
}

function makeKeySigner(key: Place["relayerKey"]): Signer {
  const account = privateKeyToAccount(key);
  return {
    addresses: async () => [lower(account.address)],
    sign: (_, transaction) => account.signTransaction({ ...transaction, type: "eip1559" }),
  };
}

/**
 * Asks the node once more if it gave no answer: the node closes idle connections, and a delayed process may write to a connection that was
 * just closed. A transaction that is sent twice is still mined only once.
 */
function makeSteadyChain(chain: Chain): Chain {
  return { batch: (calls) => chain.batch(calls).catch(() => chain.batch(calls)) };
}

/** A node without EIP-7966, which answers eth_sendRawTransactionSync with JSON-RPC's code for an unknown method. */
function makePolledChain(chain: Chain): Chain {
  return {
    async batch(calls) {
      const [only] = calls;
      if (only?.method !== "eth_sendRawTransactionSync") return chain.batch(calls);
      return [{ status: "failed", code: -32601, message: "The method does not exist." }];
    },
  };
}
