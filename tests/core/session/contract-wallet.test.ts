import { createSIWxMessage, encodeSIWxHeader } from "@x402/extensions/sign-in-with-x";
import { serializeErc6492Signature } from "viem";
import { getAddress, getContractAddress } from "viem/utils";
import { beforeAll, expect, test } from "vitest";
import { openChain } from "../../../core/adapter/chain/index.ts";
import { systemClock, systemIds } from "../../../core/adapter/system.ts";
import { type Address, type Hex, lower } from "../../../core/chain/hex.ts";
import * as Session from "../../../core/session/index.ts";
import { getTestAccount } from "../../../local/devnet/accounts.ts";
import { makeWallet1271Code } from "../../../local/devnet/deploy.ts";
import { startTestDevnet } from "../../support/devnet.ts";
import { deploy } from "../../support/payment.ts";
import { startPart } from "../../support/provide.ts";
import { startTestTable } from "../../support/table.ts";
import { settings } from "./settings.ts";

/**
 * The address of the deterministic deployer contract. The calldata for the deployer contract consists of the salt and then the creation
 * code.
 */
const deployer = "0x4e59b44847b379578588920cA78FbF26c0B4956C";
const salt: Hex = `0x${"00".repeat(32)}`;
const owner = getTestAccount(4);
const stranger = getTestAccount(5);

let initCode: Hex;
let deployed: Address;

const devnet = startPart(startTestDevnet);
const stored = startPart(startTestTable);
beforeAll(async () => {
  initCode = makeWallet1271Code(await devnet.artifacts(), owner.address);
  deployed = await deploy(devnet, owner, initCode);
});

const makePorts = () => ({
  table: stored.table,
  clock: systemClock,
  ids: systemIds,
  settings,
  chain: openChain([devnet.rpcUrl]),
});

async function signIn(address: Address, sign: (message: string) => Promise<Hex>) {
  const { nonce, message } = await Session.makeChallenge(makePorts(), { address });
  return Session.open(makePorts(), { address, nonce, signature: await sign(message) });
}

test("a contract without isValidSignature cannot sign in", async () => {
  await expect(
    signIn(settings.contracts.usdg, (message) => owner.signMessage({ message })),
  ).rejects.toMatchObject({ code: "invalid_signature" });
});

test("a sign-in or a read by the zero address is refused, although ecrecover returns that address for invalid signatures", async () => {
  const address = `0x${"00".repeat(20)}` as const;
  const uri = `${settings.origin}/api/presses/a-press-1`;
  for (const digits of ["00", "11", "ff"]) {
    const signature = `0x${digits.repeat(64)}1b` as const;
    await expect(signIn(address, async () => signature)).rejects.toMatchObject({ code: "invalid_signature" });
    const proof = { ...makeReadFields(uri), address, signature };
    await expect(Session.verifyRead(makePorts(), encodeSIWxHeader(proof), uri)).rejects.toMatchObject({
      code: "invalid_signature",
    });
  }
});

test("a wallet that is not deployed yet signs in with its factory call (EIP-6492)", async () => {
  const address = getContractAddress({ opcode: "CREATE2", from: deployer, salt, bytecode: initCode });
  const sign = async (message: string) =>
    serializeErc6492Signature({
      address: deployer,
      data: `${salt}${initCode.slice(2)}`,
      signature: await owner.signMessage({ message }),
    });
  expect(await signIn(address, sign)).toMatchObject({ address: lower(address) });
  expect(await devnet.client.getCode({ address })).toBeUndefined();
});

test("a wallet can also sign in with a key's signature in the form of EIP-2098 or with the recovery id 0 or 1", async () => {
  const signCompact = async (message: string): Promise<Hex> => {
    const signature = await owner.signMessage({ message });
    const yParity = signature.endsWith("1c") ? 1n : 0n;
    const s = BigInt(`0x${signature.slice(66, 130)}`) | (yParity << 255n);
    return `0x${signature.slice(2, 66)}${s.toString(16).padStart(64, "0")}`;
  };
  const signWithZeroOrOne = async (message: string): Promise<Hex> => {
    const signature = await owner.signMessage({ message });
    return `0x${signature.slice(2, 130)}${signature.endsWith("1c") ? "01" : "00"}`;
  };
  expect(await signIn(owner.address, signCompact)).toMatchObject({ address: lower(owner.address) });
  expect(await signIn(owner.address, signWithZeroOrOne)).toMatchObject({ address: lower(owner.address) });
});

/** Makes the fields that a wallet signs to read the resource `uri`, except for the signer's address. */
const makeReadFields = (uri: string) => ({
  domain: new URL(settings.origin).host,
  uri,
  version: "1",
  chainId: `eip155:${settings.chainId}`,
  type: "eip191" as const,
  nonce: "abcdefgh12345678",
  issuedAt: new Date(Date.now() - 1000).toISOString(),
});

test("a contract wallet can read a text if the wallet accepts the signature, and is refused if a stranger's key has signed", async () => {
  const uri = `${settings.origin}/api/presses/a-press-1`;
  const proof = { ...makeReadFields(uri), address: getAddress(deployed) };
  const message = createSIWxMessage(proof, proof.address);
  const signHeader = async (account: typeof owner) =>
    encodeSIWxHeader({ ...proof, signature: await account.signMessage({ message }) });
  expect(await Session.verifyRead(makePorts(), await signHeader(owner), uri)).toMatchObject({
    wallet: deployed,
  });
  await expect(Session.verifyRead(makePorts(), await signHeader(stranger), uri)).rejects.toMatchObject({
    code: "invalid_signature",
  });
});
