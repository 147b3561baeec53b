import { bytesToHex, encodeFunctionData, erc20Abi, type Hex, maxUint256 } from "viem";
import { estimateGas, getBalance, getCode, getGasPrice, readContract } from "viem/actions";
import { getConnection, signTypedData } from "wagmi/actions";
import { makeAuthorizationData, makePaymentHeader, makePermitData } from "../../../client/signing.ts";
import type { Address, Hash } from "../api/request.ts";
import {
  askWallet,
  callContract,
  pollChain,
  requireConnection,
  switchToServiceChain,
  waitForOutcome,
} from "../wallet/ask.ts";
import { ChainSilent, type Connection } from "../wallet/state.ts";
import type { Wallets } from "../wallet/wallets.ts";
import { PaymentError } from "./answer.ts";
import type { SignedRecord, Terms } from "./purchase.ts";
import type { Funds } from "./state.ts";

/** Reads the wallet's balances and whether the wallet is a contract, with one request to the RPC relay. */
export async function readFunds({ config, chain, service }: Wallets, wallet: Address): Promise<Funds> {
  const client = config.getClient();
  const token = { address: service.network.asset.address, abi: erc20Abi };
  const spender = service.x402.permit2;
  try {
    const [usdg, allowance, gas, code, gasPrice, units] = await Promise.all([
      readContract(client, { ...token, functionName: "balanceOf", args: [wallet] }),
      readAllowance({ config, service }, wallet),
      getBalance(client, { address: wallet }),
      getCode(client, { address: wallet }),
      getGasPrice(client),
      estimateGas(client, {
        account: wallet,
        to: token.address,
        data: encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [spender, maxUint256] }),
      }).catch(() => usualApproval),
    ]);
    const isContract = isContractCode(code);
    const onChain = getConnection(config).chainId === chain.id;
    return { usdg, allowance, gas, approvalCost: gasPrice * units, isContract, onChain };
  } catch (cause) {
    throw new ChainSilent("The chain does not answer.", { cause });
  }
}

/**
 * Whether the wallet is a contract. An account that delegates to a contract (EIP-7702) does not count as a contract, because it signs with
 * its key and pays its own gas.
 */
export function isContractCode(code: Hex | undefined): boolean {
  return code !== undefined && code !== "0x" && !code.toLowerCase().startsWith("0xef0100");
}

function readAllowance(
  { config, service }: Pick<Wallets, "config" | "service">,
  wallet: Address,
): Promise<bigint> {
  return readContract(config.getClient(), {
    address: service.network.asset.address,
    abi: erc20Abi,
    functionName: "allowance",
    args: [wallet, service.x402.permit2],
  });
}

/** The gas that is assumed for an approval. Some nodes cannot estimate gas for accounts without ETH, or for contracts. */
const usualApproval = 60_000n;

/** Returns the connected wallet. Throws if it is not the wallet for which the page has shown the payment. */
function requirePayer(wallets: Wallets, wallet: Address): Connection {
  const connection = requireConnection(wallets);
  if (connection.address !== wallet) throw new PaymentError({ code: "otherWallet" });
  return connection;
}

/**
 * Asks the wallet to approve Permit2 for `amount` base units of USDG, or for any amount by default. Even after the approval, the wallet
 * must sign each payment.
 */
export async function sendApproval(wallets: Wallets, wallet: Address, amount = maxUint256): Promise<Hash> {
  requirePayer(wallets, wallet);
  const { network, x402 } = wallets.service;
  return callContract(wallets, {
    to: network.asset.address,
    abi: erc20Abi,
    functionName: "approve",
    args: [x402.permit2, amount],
  });
}

/**
 * Waits for the approval's receipt, and then waits until a node shows the new allowance. The new allowance is at least `due`, or differs
 * from `before` if the user chose a lower amount. Returns the wallet's funds; `undefined` if the approval was reverted.
 */
export async function awaitApproval(
  wallets: Wallets,
  tx: Hash,
  wallet: Address,
  { before, due, isContract }: { before: bigint | undefined; due: bigint; isContract: boolean },
): Promise<Funds | undefined> {
  // A later read may reach a node that is behind the node that gave the receipt.
  const shows = (allowance: bigint) => (before !== undefined && allowance !== before) || allowance >= due;
  const outcome = await waitForOutcome(
    wallets,
    tx,
    async () => isContract && shows(await readAllowance(wallets, wallet)),
  );
  if (outcome === "reverted") return undefined;
  const look = async () => {
    const allowance = await readAllowance(wallets, wallet);
    return shows(allowance) ? { ...(await readFunds(wallets, wallet)), allowance } : undefined;
  };
  const funds = outcome === "success" ? await pollChain(look, 500, 30_000) : undefined;
  if (funds === undefined) throw new PaymentError({ code: "approvalSlow" });
  return funds;
}

/**
 * Asks the wallet to sign the terms with the payment method that the terms name. A purse gets the terms of both payments of a purchase,
 * signs both payments with one gesture, and signs nothing else.
 */
export async function signTerms(
  wallets: Wallets,
  offers: readonly Terms[],
  wallet: Address,
): Promise<readonly SignedRecord[]> {
  const { config, chain, service, purse } = wallets;
  const connection = requirePayer(wallets, wallet);
  await switchToServiceChain(wallets);
  const domain = { chainId: chain.id, permit2: service.x402.permit2 };
  const asks = offers.map((terms) => {
    const chance = { nonce: makeRandomHex(32), identifier: makeRandomHex(16).slice(2) };
    return { terms, chance, ...buildTypedData(terms, wallet, chance, domain) };
  });
  if (connection.isPurse) {
    const payments = offers.map(({ accepted }) => ({ to: accepted.payTo, amount: accepted.amount }));
    const now = Math.max(...offers.map(({ offeredAt }) => offeredAt));
    purse.show(
      { kind: "payments", payments, now },
      asks.map(({ typed }) => typed),
    );
  }
  return Promise.all(
    asks.map(async ({ terms, chance, typed, payload }) => {
      const account = wallet;
      const signature = await askWallet(() =>
        typed.primaryType === "TransferWithAuthorization"
          ? signTypedData(config, { ...typed, account })
          : signTypedData(config, { ...typed, account }),
      );
      const { amount, payTo } = terms.accepted;
      const header = makePaymentHeader(terms, { signature, ...payload }, chance);
      return { state: "signed", header, amount, payTo, until: computeDeadline(terms) } as const;
    }),
  );
}

const makeRandomHex = (bytes: number) => bytesToHex(crypto.getRandomValues(new Uint8Array(bytes)));

/** The random values of a payment: a nonce of 32 bytes as hex, and a payment-identifier of 16 to 128 characters from `[A-Za-z0-9_-]`. */
type RandomIds = { readonly nonce: Hash; readonly identifier: string };

function computeDeadline({ accepted, offeredAt }: Terms): number {
  return offeredAt + Math.floor(accepted.maxTimeoutSeconds);
}

/** The EIP-712 typed data that the wallet signs to pay by the given terms, and the payload of the payment's header. */
export function buildTypedData(
  terms: Terms,
  from: Address,
  { nonce }: RandomIds,
  { chainId, permit2 }: { readonly chainId: number; readonly permit2: Address },
) {
  const { asset: token, amount, payTo: to, extra } = terms.accepted;
  const payment = { chainId, token, from, to, amount, nonce, until: String(computeDeadline(terms)) };
  return extra.assetTransferMethod === "eip3009"
    ? makeAuthorizationData({ ...payment, name: extra.name, version: extra.version })
    : makePermitData({ ...payment, permit2, spender: extra.spender });
}
