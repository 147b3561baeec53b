import { maxUint256, parseAbi } from "viem";
import { getBalance, readContract } from "viem/actions";
import { getConnection, signTypedData } from "wagmi/actions";
import { permitTypes } from "../../../core/chain/schema.ts";
import type { Address, Hash } from "../api/request.ts";
import { asked, callContract, connected, enterServiceChain, waitForOutcome } from "../wallet/ask.ts";
import { ChainSilent } from "../wallet/problem.ts";
import type { Wallets } from "../wallet/wallets.ts";
import { PaymentStop } from "./problem.ts";
import type { Signed } from "./record.ts";
import type { Funds } from "./state.ts";
import type { Terms } from "./terms.ts";

const erc20 = parseAbi([
  "function balanceOf(address) view returns (uint256)",
  "function allowance(address, address) view returns (uint256)",
  "function approve(address, uint256) returns (bool)",
]);

/** Brings the wallet to the service's chain. */
export async function enterChain(wallets: Wallets): Promise<void> {
  await enterServiceChain(wallets);
  if (getConnection(wallets.config).chainId !== wallets.chain.id) throw new PaymentStop({ code: "network" });
}

/** What the wallet has, in one request to the relay. */
export async function readFunds({ config, service }: Wallets, wallet: Address): Promise<Funds> {
  const client = config.getClient();
  const token = { address: service.network.asset.address, abi: erc20 };
  try {
    const [usdg, allowance, gas] = await Promise.all([
      readContract(client, { ...token, functionName: "balanceOf", args: [wallet] }),
      readContract(client, { ...token, functionName: "allowance", args: [wallet, service.x402.permit2] }),
      getBalance(client, { address: wallet }),
    ]);
    return { usdg, allowance, gas };
  } catch (cause) {
    throw new ChainSilent("The chain gives no answer.", { cause });
  }
}

/** Has the wallet let Permit2 move its USDG: once a wallet, for any amount; each payment still takes a signature. */
export function sendApproval(wallets: Wallets): Promise<Hash> {
  const { network, x402 } = wallets.service;
  return callContract(wallets, {
    to: network.asset.address,
    abi: erc20,
    functionName: "approve",
    args: [x402.permit2, maxUint256],
  });
}

/** Milliseconds between looks at the allowance after its receipt, how long they go on, and how many in a row may fail. */
const pollInterval = 500;
const pollTime = 30_000;
const failuresAllowed = 3;

/**
 * Waits for the approval and then until a node shows its allowance, which some do seconds after the receipt: for `due`,
 * or for another one than `before` where the person has chosen less. Gives the funds, `undefined` where it was reverted.
 */
export async function approvalMined(
  wallets: Wallets,
  tx: Hash,
  wallet: Address,
  { before, due }: { readonly before: bigint | undefined; readonly due: bigint },
): Promise<Funds | undefined> {
  const outcome = await waitForOutcome(wallets, tx);
  if (outcome === "reverted") return undefined;
  const until = Date.now() + pollTime;
  let failures = 0;
  while (outcome === "success" && Date.now() < until) {
    try {
      const funds = await readFunds(wallets, wallet);
      const changed = before !== undefined && funds.allowance !== before;
      if (changed || funds.allowance >= due) return funds;
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!(error instanceof ChainSilent) || failures > failuresAllowed) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pollInterval));
  }
  throw new PaymentStop({ code: "approvalSlow" });
}

/** Has the wallet sign the terms. */
export async function signTerms(
  wallets: Wallets,
  terms: Terms,
  wallet: Address,
  chance: Chance,
): Promise<Signed> {
  const { config, chain, service } = wallets;
  if (connected(wallets).address !== wallet) throw new PaymentStop({ code: "otherWallet" });
  await enterChain(wallets);
  const permit = permitFor(terms, wallet, chance);
  const typed = typedPermit(permit, { chainId: chain.id, permit2: service.x402.permit2 });
  const signature = await asked(() => signTypedData(config, { ...typed, account: wallet }));
  const { amount, payTo } = terms.accepted;
  return { state: "signed", header: paymentHeader(terms, permit, signature, chance), amount, payTo };
}

type Permit2Domain = { readonly chainId: number; readonly permit2: Address };

/** Chance that a permit needs: a nonce of 256 bits, decimal, and a name for the attempt of 16 to 128 of `[A-Za-z0-9_-]`. */
type Chance = { readonly nonce: string; readonly identifier: string };

/** What the wallet is asked to sign for terms, with what the header will say of it. Numbers are decimal texts. */
export function permitFor({ accepted, offeredAt }: Terms, from: Address, { nonce }: Chance) {
  const { asset: token, amount, payTo, maxTimeoutSeconds, extra } = accepted;
  return {
    permitted: { token, amount },
    from,
    spender: extra.spender,
    nonce,
    deadline: String(offeredAt + Math.floor(maxTimeoutSeconds)),
    witness: { to: payTo, validAfter: "0" },
  } as const;
}
type PermitAuthorization = ReturnType<typeof permitFor>;

/** The permit as EIP-712 typed data. */
export function typedPermit(
  { permitted, spender, nonce, deadline, witness }: PermitAuthorization,
  { chainId, permit2 }: Permit2Domain,
) {
  return {
    domain: { name: "Permit2", chainId, verifyingContract: permit2 },
    types: permitTypes,
    primaryType: "PermitWitnessTransferFrom",
    message: {
      permitted: { token: permitted.token, amount: BigInt(permitted.amount) },
      spender,
      nonce: BigInt(nonce),
      deadline: BigInt(deadline),
      witness: { to: witness.to, validAfter: BigInt(witness.validAfter) },
    },
  } as const;
}

/**
 * The `payment-signature` header (specification §4.4), with a name for the attempt (x402's payment-identifier): under the
 * same name and header the service repeats its first answer.
 */
export function paymentHeader(
  { accepted, resource }: Terms,
  permit2Authorization: PermitAuthorization,
  signature: string,
  { identifier }: Chance,
): string {
  const payload = {
    x402Version: 2,
    accepted,
    resource,
    payload: { signature, permit2Authorization },
    extensions: { "payment-identifier": { info: { required: false, id: identifier } } },
  };
  const bytes = new TextEncoder().encode(JSON.stringify(payload));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(""));
}
