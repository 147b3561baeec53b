import { bytesToHex, type Hex } from "viem";
import * as z from "zod";
import { type Address, AddressForm, isSameAddress } from "../api/request.ts";
import { openLocalStore, tryKeep } from "../store.ts";
import { namePasskey } from "../strings/wallet.ts";
import { computeAddress, deriveKey } from "./key.ts";
import { askPasskey, createPasskey, type PasskeyAnswer, PurseProblem, readHost } from "./passkey.ts";

/**
 * This browser's record of a purse. The record contains no secret. With the passkey, the purse can be found again even without the record.
 */
const PurseForm = z.object({ address: AddressForm, credentialId: z.string() });
export type Purse = Readonly<z.infer<typeof PurseForm>>;

const drawer = openLocalStore("purse", PurseForm);
const only = "";

let current: Purse | undefined;

/** The purse that this browser used last. */
export function readPurse(): Purse | undefined {
  current ??= drawer.read(only);
  return current;
}

function rememberPurse(purse: Purse): Purse {
  current = purse;
  // If the purse's record cannot be stored, the purse can be found again with its passkey.
  tryKeep(() => drawer.write(only, purse));
  return purse;
}

/**
 * Makes a passkey and requests the passkey's secret twice. The passkey becomes a purse only if both secrets are equal. Some browsers claim
 * to support PRF, but give no secret, or give a different secret each time. Throws PurseProblem.
 */
export async function makePurse(): Promise<Purse> {
  const made = await createPasskey(namePasskey(new Date()));
  let again: PasskeyAnswer | undefined;
  try {
    again = await askPasskey(made.credentialId);
    if (!isSameBytes(made.secret, again.secret)) throw new PurseProblem("unsteady");
    return rememberPurse({ credentialId: made.credentialId, address: await deriveAddress(made.secret) });
  } finally {
    made.secret.fill(0);
    again?.secret.fill(0);
  }
}

/** Finds a purse by its passkey. A purse can be found in every browser whose keychain contains the purse's passkey. Throws PurseProblem. */
export async function findPurse(): Promise<Purse> {
  const { credentialId, secret } = await askPasskey();
  try {
    return rememberPurse({ credentialId, address: await deriveAddress(secret) });
  } finally {
    secret.fill(0);
  }
}

function isSameBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at]);
}

async function deriveAddress(secret: Uint8Array<ArrayBuffer>): Promise<Address> {
  const key = await deriveKey(secret, readHost());
  try {
    return computeAddress(key);
  } finally {
    key.fill(0);
  }
}

/**
 * Asks for the passkey once and passes the private key to `use`. The key is overwritten as soon as `use` returns, so `use` must not be
 * asynchronous. Throws PurseProblem; its kind is `other` if the passkey belongs to another purse.
 */
export async function runWithKey<T>(purse: Purse, use: (key: Uint8Array) => T): Promise<T> {
  const { secret } = await askPasskey(purse.credentialId);
  let key: Uint8Array | undefined;
  try {
    key = await deriveKey(secret, readHost());
    if (!isSameAddress(computeAddress(key), purse.address)) throw new PurseProblem("other");
    return use(key);
  } finally {
    secret.fill(0);
    key?.fill(0);
  }
}

/** The private key in the form that wallets import. A person who has the private key controls the purse. Throws PurseProblem. */
export function exportKey(purse: Purse): Promise<Hex> {
  return runWithKey(purse, (key) => bytesToHex(key));
}
