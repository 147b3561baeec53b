import type { HDAccount } from "viem/accounts";
import { vi } from "vitest";
import * as z from "zod";
import { systemClock } from "../../core/adapter/system.ts";
import { type Address, lower } from "../../core/chain/hex.ts";
import { encodeSettle } from "../../core/chain/permit2.ts";
import { getPlatformAccount, getTestAccount, platformIndexes } from "../../local/devnet/accounts.ts";
import { startTestDevnet, type TestDevnet } from "./devnet.ts";
import { findPayer, openGriefer, startAmbushedNode } from "./griefer.ts";
import { makeHttpClient, type PayPath } from "./http-payer.ts";
import { encodePermitHeader, listPress, makePermit, signPermit } from "./payment.ts";
import { startServiceBehind } from "./service.ts";

export type PayAnswer = {
  readonly status: number;
  readonly code: string | undefined;
  readonly error: string | undefined;
  readonly retryAfter: number | undefined;
};
const Said = z.object({ code: z.string().optional(), error: z.string().optional() });

const relayers = platformIndexes.relayers.map((index) => lower(getPlatformAccount(index).address));

/**
 * Starts the whole service over HTTP on a chain whose node helps an attacker. By default, the chain's gas price is ten times the devnet's
 * usual gas price. `environment` contains environment variables of the service, such as the stage's limits.
 */
export async function startTarget({
  gasPrice = 100_000_000n,
  environment,
}: {
  readonly gasPrice?: bigint;
  readonly environment?: Readonly<Record<string, string>>;
} = {}) {
  let devnet: TestDevnet | undefined;
  const service = await startServiceBehind("chain", startAmbushedNode, {
    environment,
    startChain: async () => {
      devnet = await startTestDevnet({ gasPrice });
      return devnet;
    },
  });
  if (devnet === undefined) throw new Error("The service has no chain.");
  const { proxy: node, client: chain, table } = service;
  const griefer = openGriefer(chain, await devnet.artifacts());

  const http = makeHttpClient(service.origin);
  async function pay(leg: PayPath, pressId: number, header?: string): Promise<PayAnswer> {
    const { status, headers, body } = await http.pay(leg, pressId, header);
    const { code, error } = Said.parse(body);
    const retryAfter = headers.get("retry-after");
    return { status, code, error, retryAfter: retryAfter === null ? undefined : Number(retryAfter) };
  }

  /** A wallet's payment, signed by the key of the wallet's owner. A hostile wallet accepts any signature in a simulation. */
  async function signPayment(wallet: Address, leg: PayPath, pressId: number, signer?: HDAccount) {
    const entry = await http.entryOf(leg, pressId);
    const permit = makePermit({ address: wallet }, entry);
    const signature =
      signer === undefined ? (`0x${"11".repeat(65)}` as const) : await signPermit(signer, permit);
    return { header: encodePermitHeader(entry, permit, signature), call: encodeSettle(permit, signature) };
  }

  /** The relayers' transactions after the given block. */
  async function listRelayerTransactions(block: bigint) {
    const head = Number(await chain.getBlockNumber());
    const numbers = Array.from({ length: head - Number(block) }, (_, index) => block + 1n + BigInt(index));
    const blocks = await Promise.all(
      numbers.map((blockNumber) => chain.getBlock({ blockNumber, includeTransactions: true })),
    );
    return blocks
      .flatMap(({ transactions }) => transactions)
      .filter(({ from }) => relayers.includes(lower(from)));
  }

  /** The receipts of the relayers' transactions after the given block, with the ETH that each transaction carried. */
  async function readReceipts(block: bigint) {
    const sent = await listRelayerTransactions(block);
    return Promise.all(
      sent.map(async ({ hash, value }) => ({ value, ...(await chain.getTransactionReceipt({ hash })) })),
    );
  }

  /** Moves the service's clock forward; a call of `now` sets the clock to the real time again. */
  function moveClock(milliseconds: number): void {
    vi.spyOn(systemClock, "now").mockImplementation(() => Date.now() + milliseconds);
  }

  return {
    service,
    http,
    chain,
    client: chain,
    node,
    griefer,
    table,
    devnet,
    pay,
    signPayment,
    headerOf: async (...order: Parameters<typeof signPayment>) => (await signPayment(...order)).header,
    /** Makes a press that the account has minted. The press's default price is one USDG. */
    press: (owner = getTestAccount(4), priceUnits = 1_000_000n) =>
      listPress({ ports: { table }, client: chain }, owner, priceUnits),
    later: moveClock,
    /**
     * Stops the service's clock. On a slow machine, a cooldown could end during the test if the clock did not stop. A call of `now` makes
     * the clock run again.
     */
    stopClock: () => void vi.spyOn(systemClock, "now").mockReturnValue(Date.now()),
    now: () => void vi.restoreAllMocks(),
    async payFrom(wallet: Address, leg: PayPath, pressId: number, signer?: HDAccount): Promise<PayAnswer> {
      return pay(leg, pressId, (await signPayment(wallet, leg, pressId, signer)).header);
    },
    /** Makes each of the given wallets burn gas, but only while the node processes a payment of the same wallet. */
    armWallets(wallets: ReadonlySet<Address>): void {
      node.around = async (raw) => {
        const payer = findPayer(raw);
        if (payer === undefined || !wallets.has(payer)) return async () => undefined;
        await griefer.arm(payer, true);
        return () => griefer.arm(payer, false);
      };
    },
    sentSince: listRelayerTransactions,
    /** The number of the relayers' failed transactions after the given block, and the gas that these transactions used. */
    async sumBurnedGas(block: bigint): Promise<{ readonly gas: number; readonly failures: number }> {
      const failed = (await readReceipts(block)).filter(({ status }) => status !== "success");
      return {
        gas: failed.reduce((sum, { gasUsed }) => sum + Number(gasUsed), 0),
        failures: failed.length,
      };
    },
    /**
     * The gas and ETH that the relayers have spent since a block, in USDG base units at 3,000 USDG per ETH. The result also says how many
     * transactions the relayers have sent, and how many of these transactions carried ETH.
     */
    async computeSpent(block: bigint) {
      const receipts = await readReceipts(block);
      const wei = receipts.reduce(
        (sum, { status, value, gasUsed, effectiveGasPrice }) =>
          sum + gasUsed * effectiveGasPrice + (status === "success" ? value : 0n),
        0n,
      );
      const gifts = receipts.filter(({ value }) => value > 0n).length;
      return { units: Number((wei * 3_000_000_000n) / 10n ** 18n), sent: receipts.length, gifts };
    },
    stop: service.stop,
  };
}
