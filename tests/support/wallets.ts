import { type HDAccount, HDKey } from "viem/accounts";
import { encodeFunctionData, parseAbi, toHex } from "viem/utils";
import { deriveAccount } from "../../core/adapter/mnemonic.ts";
import { erc20Abi } from "../../core/chain/abi.ts";
import type { Address, Hex } from "../../core/chain/hex.ts";
import { pay } from "../../core/payment/index.ts";
import type { Leg } from "../../core/payment/schema.ts";
import { makeWallet1271Code } from "../../local/devnet/deploy.ts";
import {
  approve,
  deploy,
  encodePermitHeader,
  encodeTransfer,
  getTestAccount,
  type Payments,
  permit2,
  send,
  signLeg,
  usdg,
} from "./payment.ts";
import type { Form } from "./signature-forms.ts";

const usdgAbi = parseAbi([
  "function freeze(address account)",
  "function unfreeze(address account)",
  "function pause()",
  "function unpause()",
  "function setOlderForm(bool older)",
]);
const walletAbi = parseAbi(["function execute(address target, uint256 value, bytes data) returns (bytes)"]);

/** Account 0, which issues USDG on the devnet. */
const issuer = getTestAccount(0);

/** The USDG base units that a test wallet has at the start. */
const funds = 100_000_000n;

const parent = HDKey.fromMasterSeed(new TextEncoder().encode("the new wallets of all tests"));
let made = 0;

/** An account without code that no other test uses. */
export function makeAccount(): HDAccount {
  return deriveAccount(parent, made++);
}

/** The private key of an account that was derived from a seed phrase. */
export function readPrivateKey(account: HDAccount): Hex {
  return toHex(account.getHdKey().privateKey ?? new Uint8Array());
}

/** Sends USDG from the account that issues it. */
export async function giveUsdg(payments: Pick<Payments, "client">, to: Address, units: bigint) {
  await send(payments, issuer, usdg, encodeTransfer(to, units));
}

/** A new account without code that has only USDG. */
export async function makeWallet(payments: Pick<Payments, "client">, units: bigint): Promise<HDAccount> {
  const account = makeAccount();
  await giveUsdg(payments, account.address, units);
  return account;
}

/** The private key of a new account without code that has only USDG. */
export async function makeFundedKey(payments: Pick<Payments, "client">, units: bigint): Promise<Hex> {
  return readPrivateKey(await makeWallet(payments, units));
}

/** Stops every transfer of the wallet's USDG, or allows transfers again. */
export async function setFrozen(
  payments: Pick<Payments, "client">,
  wallet: Address,
  frozen: boolean,
): Promise<void> {
  const functionName = frozen ? "freeze" : "unfreeze";
  await send(payments, issuer, usdg, encodeFunctionData({ abi: usdgAbi, functionName, args: [wallet] }));
}

/** Stops every transfer of USDG, or allows transfers again. */
export async function setPaused(payments: Pick<Payments, "client">, paused: boolean): Promise<void> {
  const functionName = paused ? "pause" : "unpause";
  await send(payments, issuer, usdg, encodeFunctionData({ abi: usdgAbi, functionName }));
}

/** Switches USDG to an older version, which does not support contract wallets, or to the newest version. */
export async function setOlderForm(payments: Pick<Payments, "client">, older: boolean): Promise<void> {
  const data = encodeFunctionData({ abi: usdgAbi, functionName: "setOlderForm", args: [older] });
  await send(payments, issuer, usdg, data);
}

/** An ERC-1271 wallet with USDG, for which `owner` signs. Permit2 is allowed to move `allowance` base units of the wallet's USDG. */
export async function deployContractWallet(
  payments: Pick<Payments, "client"> & { readonly devnet: Pick<Payments["devnet"], "artifacts"> },
  owner: HDAccount,
  allowance = funds,
): Promise<Address> {
  const { client, devnet } = payments;
  const bytecode = makeWallet1271Code(await devnet.artifacts(), owner.address);
  const wallet = await deploy(payments, issuer, bytecode);
  await giveUsdg(payments, wallet, funds);
  const inner = encodeFunctionData({ abi: erc20Abi, functionName: "approve", args: [permit2, allowance] });
  await client.setBalance({ address: owner.address, value: 10n ** 18n });
  await execute(payments, owner, wallet, { to: usdg, data: inner });
  return wallet;
}

/** Makes the owner's contract wallet send a call to an address. */
export async function execute(
  payments: Pick<Payments, "client">,
  owner: HDAccount,
  wallet: Address,
  { to, data: inner }: { readonly to: Address; readonly data: Hex },
) {
  const data = encodeFunctionData({ abi: walletAbi, functionName: "execute", args: [to, 0n, inner] });
  return send(payments, owner, wallet, data);
}

/** Gives USDG, and ETH for gas, to an account without code, and lets Permit2 move the account's USDG. */
export async function fund(
  payments: Pick<Payments, "client">,
  account: HDAccount,
  units = funds,
): Promise<void> {
  await payments.client.setBalance({ address: account.address, value: 10n ** 18n });
  await giveUsdg(payments, account.address, units);
  await approve(payments, account);
}

/** Makes the account run `target`'s code from now on (EIP-7702); the zero address ends the delegation. */
export async function delegate(
  { client }: Pick<Payments, "client">,
  account: HDAccount,
  target: Address,
): Promise<void> {
  const authorization = await client.signAuthorization({ account, address: target, executor: "self" });
  await client.sendTransactionSync({
    account,
    to: issuer.address,
    authorizationList: [authorization],
    timeout: 60_000,
  });
  const code = await client.getCode({ address: account.address });
  const expected = /^0x0+$/.test(target) ? undefined : `0xef0100${target.slice(2)}`;
  if (code !== expected) throw new Error(`Not delegated: ${code}`);
}

/** The paying wallet, the signing key, and the form in which the signature is sent. */
export type Payer = {
  readonly wallet: Address;
  readonly signer: HDAccount;
  readonly form?: Form;
};

/** Pays a leg by a permit of the payer's wallet. */
export async function payFrom(
  payments: Payments,
  { wallet, signer, form }: Payer,
  leg: Leg,
  pressId: number,
) {
  const { entry, permit, signature } = await signLeg(payments, signer, leg, pressId, { from: wallet });
  const header = encodePermitHeader(entry, permit, form === undefined ? signature : form(signature));
  return pay(payments.ports, { leg, pressId, header });
}
