import { erc721Abi, type LocalAccount, zeroHash } from "viem";
import type { HDAccount } from "viem/accounts";
import { encodeFunctionData, parseAbi } from "viem/utils";
import { openChain } from "../../core/adapter/chain/index.ts";
import { makePhraseSigner } from "../../core/adapter/mnemonic.ts";
import { systemClock, systemIds } from "../../core/adapter/system.ts";
import { erc20Abi, identityAbi, reputationAbi } from "../../core/chain/abi.ts";
import { mainnet, usdgDomain } from "../../core/chain/deployment.ts";
import { type Authorization, authorizationTypes, encodeSettleCall } from "../../core/chain/eip3009.ts";
import { type Hex, lower } from "../../core/chain/hex.ts";
import { encodeSettle, type Permit, permitTypes } from "../../core/chain/permit2.ts";
import { encodeHeader, type PaymentPorts, type PayOutcome, pay } from "../../core/payment/index.ts";
import type { Leg, PaymentRequired, PaymentRequirements } from "../../core/payment/schema.ts";
import type { PressItem } from "../../core/record/press.ts";
import type { Lag } from "../../local/database/lag.ts";
import {
  getPlatformAccount,
  getTestAccount,
  platformIndexes,
  platformMnemonic,
} from "../../local/devnet/accounts.ts";
import { startTestDevnet, type TestDevnet } from "./devnet.ts";
import { startTestTable, type TestTable } from "./table.ts";

export const { usdg, permit2, exactProxy, identityRegistry, reputationRegistry } = mainnet.contracts;
export const treasury = lower(getPlatformAccount(platformIndexes.treasury).address);
const maxUint = 2n ** 256n - 1n;

/** Starts a devnet and a table, and makes payment ports that use both. `lag` delays the table's reads. */
export async function startPayments(lag?: Lag) {
  const [devnet, store] = await Promise.all([startTestDevnet(), startTestTable("embedded", lag)]);
  const ports: PaymentPorts = {
    table: store.table,
    clock: systemClock,
    ids: systemIds,
    settings: {
      origin: "http://localhost:3000",
      chainId: mainnet.chainId,
      chainName: mainnet.name,
      contracts: mainnet.contracts,
      treasury,
    },
    chain: openChain([devnet.rpcUrl]),
    relayers: makePhraseSigner(platformMnemonic, platformIndexes.relayers.length),
    meter: { count: () => undefined },
  };
  return {
    devnet,
    store,
    ports,
    client: devnet.client,
    async stop() {
      await Promise.all([devnet.stop(), store.stop()]);
    },
  };
}
export type Payments = Awaited<ReturnType<typeof startPayments>>;

/** Sends a transaction from a test account and waits for its receipt. Throws if the transaction is reverted. */
export async function send({ client }: Pick<Payments, "client">, account: LocalAccount, to: Hex, data: Hex) {
  return client.sendTransactionSync({ account, to, data });
}

/** The call that transfers USDG. */
export function encodeTransfer(to: Hex, units: bigint): Hex {
  return encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, units] });
}

const permit2Abi = parseAbi(["function invalidateUnorderedNonces(uint256 word, uint256 mask)"]);

/** The call with which a payer invalidates a permit's nonce. */
export function encodeInvalidation(nonce: bigint): Hex {
  const args = [nonce >> 8n, 1n << (nonce & 255n)] as const;
  return encodeFunctionData({ abi: permit2Abi, functionName: "invalidateUnorderedNonces", args });
}

/** Deploys a contract from its creation code. Returns the contract's address, in lower case. */
export async function deploy(
  { client }: Pick<Payments, "client">,
  account: HDAccount,
  code: Hex,
): Promise<Hex> {
  const { contractAddress } = await client.sendTransactionSync({ account, data: code });
  if (contractAddress == null) throw new Error("The contract was not deployed.");
  return lower(contractAddress);
}

/** Lets Permit2 move the account's USDG. Returns the receipt of the transaction. */
export async function approve(payments: Pick<Payments, "client">, account: HDAccount) {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [permit2, maxUint] });
  return send(payments, account, usdg, data);
}

/** The call that registers an identity. */
export function encodeRegister(uri: string): Hex {
  return encodeFunctionData({ abi: identityAbi, functionName: "register", args: [uri] });
}

/** The call by which the owner of a press gives the press's identity to another wallet. */
export function encodeSale(from: Hex, to: Hex, pressId: number): Hex {
  const args = [from, to, BigInt(pressId)] as const;
  return encodeFunctionData({ abi: erc721Abi, functionName: "transferFrom", args });
}

/** Registers an identity, and returns the identity's number and the transaction's hash. */
export async function register(payments: Pick<Payments, "client">, account: LocalAccount, uri: string) {
  const { logs, transactionHash } = await send(payments, account, identityRegistry, encodeRegister(uri));
  const minted = logs.find(({ address }) => lower(address) === identityRegistry);
  return { agentId: Number(minted?.topics[3]), txHash: lower(transactionHash) };
}

/** The parameters of a vote: by default an upvote without a tag. */
export type VoteFields = {
  readonly value?: bigint;
  readonly decimals?: number;
  readonly tag?: string;
  readonly url?: string;
};

/** The call by which a wallet votes for a press. */
export function encodeVote(pressId: number | bigint, vote: VoteFields = {}): Hex {
  const { value = 1n, decimals = 0, tag = "", url = "https://news.example/press/x" } = vote;
  const args = [BigInt(pressId), value, decimals, tag, "", url, "", zeroHash] as const;
  return encodeFunctionData({ abi: reputationAbi, functionName: "giveFeedback", args });
}

/** Makes a live press that `owner` has minted. Returns the press's agent id. */
export async function listPress(
  payments: Pick<Payments, "client"> & { readonly ports: Pick<PaymentPorts, "table"> },
  owner: HDAccount,
  priceUnits = 250_000n,
): Promise<number> {
  const { ports } = payments;
  const { agentId: pressId } = await register(payments, owner, "https://example.com");
  const publisher = lower(owner.address);
  await putPress(ports, { pressId, publisher, priceUnits: String(priceUnits) }, `The text of ${pressId}.`);
  return pressId;
}

/** Writes a live press to the table, as if it had been published at the beginning of 2026. */
export async function putPress(
  { table }: Pick<PaymentPorts, "table">,
  changes: Partial<PressItem> & { readonly pressId: number; readonly publisher: Hex },
  text: string,
): Promise<void> {
  const at = changes.publishedAt ?? "2026-01-01T00:00:00.000Z";
  const { pressId, id = pressId + 1000, stock = "AAPL" } = changes;
  const slug = `a-press-${id}`;
  const frozen = { id, slug, headline: "A press", stock, priceUnits: "250000", ...changes };
  const { agent, body, press } = table.entities;
  const { headline, priceUnits, publisher } = frozen;
  await agent.create({ pressId, id, slug: frozen.slug, headline, stock, priceUnits, publisher }).go();
  await body.create({ id, revision: 1, body: text }).go();
  await press
    .create({
      status: "live",
      shelf: "live",
      stockShelf: stock,
      publishedAt: at,
      preview: "A preview",
      publisherName: "P",
      readMinutes: 1,
      contentHash: "0x",
      aiAssisted: false,
      createdAt: at,
      updatedAt: at,
      revision: 1,
      auditCount: 1,
      votesUp: 0,
      votesDown: 0,
      tags: {},
      reads: 0,
      ...frozen,
    })
    .go();
}

let nonces = 0n;

/** The signed fields of an entry of the terms. */
type SignableEntry = Pick<PaymentRequirements, "amount" | "asset" | "payTo"> & {
  readonly extra: object;
};

type Extra<Method extends string> = Extract<PaymentRequirements["extra"], { assetTransferMethod: Method }>;
export type Permit2Entry = PaymentRequirements & { readonly extra: Extra<"permit2"> };

/** The permit for an entry of the terms. `changes` replaces fields of the permit, to forge it. */
export function makePermit(
  account: { readonly address: Hex },
  entry: SignableEntry,
  changes: Partial<Permit> = {},
): Permit {
  nonces += 1n;
  const { extra } = entry;
  if (!("spender" in extra && typeof extra.spender === "string")) throw new Error("Not terms by Permit2");
  return {
    from: lower(account.address),
    token: lowerHex(entry.asset),
    amount: BigInt(entry.amount),
    spender: lowerHex(extra.spender),
    nonce: (BigInt(Date.now()) << 64n) + nonces,
    deadline: BigInt(Math.floor(systemClock.now() / 1000) + 300),
    validAfter: 0n,
    to: lowerHex(entry.payTo),
    ...changes,
  };
}

function lowerHex(text: string): Hex {
  return lower(`0x${text.slice(2)}`);
}

/** Signs the permit by EIP-712 as in specification §4.4. */
export function signPermit(account: HDAccount, permit: Permit): Promise<Hex> {
  return account.signTypedData({
    domain: { name: "Permit2", chainId: mainnet.chainId, verifyingContract: permit2 },
    types: permitTypes,
    primaryType: "PermitWitnessTransferFrom",
    message: {
      permitted: { token: permit.token, amount: permit.amount },
      spender: permit.spender,
      nonce: permit.nonce,
      deadline: permit.deadline,
      witness: { to: permit.to, validAfter: permit.validAfter },
    },
  });
}

/** The payment header for a signed permit, with an optional payment-identifier. */
export function encodePermitHeader(
  entry: object,
  permit: Permit,
  signature: Hex,
  identifier?: string,
): string {
  return encodeHeader({
    x402Version: 2,
    accepted: entry,
    ...(identifier !== undefined && {
      extensions: { "payment-identifier": { info: { required: false, id: identifier } } },
    }),
    resource: { url: "http://localhost:3000" },
    payload: {
      signature,
      permit2Authorization: {
        permitted: { token: permit.token, amount: String(permit.amount) },
        from: permit.from,
        spender: permit.spender,
        nonce: String(permit.nonce),
        deadline: String(permit.deadline),
        witness: { to: permit.to, validAfter: String(permit.validAfter) },
      },
    },
  });
}

/** Changes to an authorization: its replaced fields, the name in the signed domain, and a function that changes the signature. */
type AuthorizeOptions = Partial<Authorization> & {
  readonly name?: string;
  readonly form?: (signature: Hex) => Hex;
};

/**
 * Signs an EIP-3009 authorization for an entry of the terms. Returns the payment header, and the call with which anybody can settle the
 * authorization.
 */
export async function authorize(
  account: LocalAccount,
  entry: Pick<PaymentRequirements, "amount" | "payTo">,
  { name = usdgDomain.name, form = (signature) => signature, ...wish }: AuthorizeOptions = {},
) {
  nonces += 1n;
  const authorization: Authorization = {
    from: lower(account.address),
    token: usdg,
    amount: BigInt(entry.amount),
    to: lowerHex(entry.payTo),
    validAfter: 0n,
    validBefore: BigInt(Math.floor(systemClock.now() / 1000) + 300),
    nonce: (BigInt(Date.now()) << 64n) + nonces,
    ...wish,
  };
  const { from, to, amount: value, validAfter, validBefore } = authorization;
  const nonce: Hex = `0x${authorization.nonce.toString(16).padStart(64, "0")}`;
  const signature = form(
    await account.signTypedData({
      domain: { ...usdgDomain, name, chainId: mainnet.chainId, verifyingContract: usdg },
      types: authorizationTypes,
      primaryType: "TransferWithAuthorization",
      message: { from, to, value, validAfter, validBefore, nonce },
    }),
  );
  const times = { validAfter: String(validAfter), validBefore: String(validBefore) };
  const said = { from, to, value: String(value), ...times, nonce };
  return {
    header: encodeHeader({
      x402Version: 2,
      accepted: entry,
      resource: { url: "http://localhost:3000" },
      payload: { signature, authorization: said },
    }),
    call: encodeSettleCall(authorization, signature),
    authorization,
    nonce: authorization.nonce,
    said,
    signature,
  };
}

/**
 * Fresh terms of the fee or of the rest of the price. The first entry of the terms is the Permit2 entry, which is also returned separately.
 */
export async function fetchTerms(
  { ports }: Pick<Payments, "ports">,
  leg: Leg,
  pressId: number,
): Promise<{ readonly terms: PaymentRequired; readonly entry: Permit2Entry }> {
  const outcome = await pay(ports, { leg, pressId, header: undefined });
  if (outcome.kind !== "terms") throw new Error("Expected terms");
  const [entry] = outcome.terms.accepts;
  if (entry?.extra.assetTransferMethod !== "permit2") throw new Error("Terms without Permit2 first");
  return { terms: outcome.terms, entry: { ...entry, extra: entry.extra } };
}

/**
 * Signs a permit for fresh terms of the fee or of the rest of the price. Besides the permit, returns the payment header, and the call with
 * which any account can settle the permit.
 */
export async function signLeg(
  payments: Pick<Payments, "ports">,
  account: HDAccount,
  leg: Leg,
  pressId: number,
  changes: Partial<Permit> = {},
) {
  const { entry } = await fetchTerms(payments, leg, pressId);
  const permit = makePermit(account, entry, changes);
  const signature = await signPermit(account, permit);
  const header = encodePermitHeader(entry, permit, signature);
  return { entry, permit, signature, header, call: encodeSettle(permit, signature) };
}

/** A payment header that pays the fee or the rest of the price, signed for fresh terms. */
export async function makeSignedHeader(...order: Parameters<typeof signLeg>): Promise<string> {
  return (await signLeg(...order)).header;
}

/** Pays the fee or the rest of the price as an honest client does: requests terms, signs them, and pays. */
export async function payLeg(
  payments: Pick<Payments, "ports">,
  account: HDAccount,
  leg: Leg,
  pressId: number,
): Promise<PayOutcome> {
  return pay(payments.ports, {
    leg,
    pressId,
    header: await makeSignedHeader(payments, account, leg, pressId),
  });
}

/** Reads the USDG that the wallet has, in base units. */
export function readBalance({ client }: Pick<Payments, "client">, wallet: Hex): Promise<bigint> {
  return client.readContract({ address: usdg, abi: erc20Abi, functionName: "balanceOf", args: [wallet] });
}

/** Reads the amount of the wallet's USDG that Permit2 may move, in base units. */
export function readAllowance({ client }: Pick<Payments, "client">, wallet: Hex): Promise<bigint> {
  const token = { address: usdg, abi: erc20Abi } as const;
  return client.readContract({ ...token, functionName: "allowance", args: [wallet, permit2] });
}

export { getTestAccount, type TestDevnet, type TestTable };
