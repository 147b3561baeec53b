import { createSiweMessage } from "viem/siwe";
import { getAddress } from "viem/utils";
import * as z from "zod";
import { type Address, AddressInput, HexInput, lower } from "../chain/hex.ts";
import { isMessageSigned } from "../chain/signature.ts";
import { AppError, makeBusyError } from "../error.ts";
import { type Clock, hashSecret, type Ids } from "../port/clock.ts";
import type { Settings } from "../port/settings.ts";
import type { AllPorts } from "../ports.ts";
import { commit } from "../transact.ts";

/** Seconds for which a signed read is valid, counted from its `issuedAt` (x402's sign-in-with-x: five minutes). */
const lifetime = 5 * 60;

/**
 * The maximum number of characters of the `sign-in-with-x` header. A header of this length has space for a contract wallet's signature of 2
 * kB, and is below the gateway's limit of 10 kB for all headers together.
 */
const headerLimit = 7000;

/** A time in the form of `Date.toISOString`, so that the signed message can be rebuilt from it. */
const Time = z.iso.datetime().refine((text) => new Date(text).toISOString() === text);

/** A field of an EIP-4361 message is one line. */
const oneLine = /^[^\r\n]*$/;

/** The content of the `sign-in-with-x` header: the fields of an EIP-4361 message and the message's signature. */
const ReadProof = z.object({
  domain: z.string(),
  address: AddressInput,
  uri: z.string(),
  version: z.literal("1"),
  chainId: z.string(),
  type: z.literal("eip191"),
  nonce: z.string().regex(/^[a-zA-Z0-9]{8,128}$/),
  issuedAt: Time,
  expirationTime: Time.optional(),
  notBefore: Time.optional(),
  statement: z.string().max(500).regex(oneLine).optional(),
  requestId: z.string().max(200).regex(oneLine).optional(),
  resources: z.array(z.url().max(500).regex(oneLine)).max(10).optional(),
  signature: HexInput.refine(({ length }) => length <= 4098),
});
type ReadProof = z.infer<typeof ReadProof>;

/** The wallet that has signed a request to read a press. Call `consumeSignedRead` before a text is shown to this wallet. */
export type SignedRead = {
  readonly wallet: Address;
  readonly nonce: string;
  /** The time when the signed read expires, in seconds since the Unix epoch. */
  readonly expiresAt: number;
};

type ProofPorts = Pick<AllPorts, "chain" | "clock" | "settings">;

/** The fields that the client adds in the `sign-in-with-x` header. */
const proofSchema = {
  type: "object",
  required: ["domain", "address", "uri", "version", "chainId", "type", "nonce", "issuedAt", "signature"],
} as const;

/**
 * The message that a wallet signs for one read of the resource at `uri`, in the form of x402's sign-in-with-x. The message itself is not
 * stored. After the message is used, its nonce is stored. The message's time is rounded down to whole seconds, so that a server whose clock
 * is slightly slow accepts the message.
 */
export function readChallenge(
  { clock, ids, settings }: { clock: Pick<Clock, "now">; ids: Pick<Ids, "nonce">; settings: Settings },
  uri: string,
) {
  const issuedAt = new Date(Math.floor(clock.now() / 1000) * 1000).toISOString();
  const { host: domain } = new URL(settings.origin);
  return {
    info: { domain, uri, version: "1", nonce: ids.nonce(), issuedAt },
    supportedChains: [{ chainId: `eip155:${settings.chainId}`, type: "eip191" }],
    schema: proofSchema,
  } as const;
}

/**
 * Finds the wallet that has signed a `sign-in-with-x` header (x402's extension sign-in-with-x) for the resource at `uri`. The message names
 * this site, this chain and the resource's whole address, so the message is valid for no other resource. A sign-in message contains the
 * address of the site, so it is not valid for reading a resource. Throws `invalid_sign_in` (`auth`) or `invalid_signature`, and
 * `chain_unavailable` (`upstream`) for contract wallets.
 */
export async function verifyRead(ports: ProofPorts, header: string, uri: string): Promise<SignedRead> {
  const proof = parseProof(header);
  checkTarget(proof, ports.settings, uri);
  const expiresAt = checkTimes(proof, ports.clock.now());
  const wallet = lower(proof.address);
  if (!(await isMessageSigned(ports.chain, wallet, writeMessage(proof, ports.settings), proof.signature))) {
    throw new AppError("auth", "invalid_signature", "The signature does not match the message and address.");
  }
  return { wallet, nonce: proof.nonce, expiresAt };
}

function parseProof(header: string): ReadProof {
  if (header.length > headerLimit) throw makeInvalidError(`is longer than ${headerLimit} characters`);
  try {
    return ReadProof.parse(JSON.parse(Buffer.from(header, "base64").toString()));
  } catch (cause) {
    throw makeInvalidError("is not base64 of the JSON that x402's extension describes", cause);
  }
}

function checkTarget({ domain, uri, chainId }: ReadProof, settings: Settings, wanted: string): void {
  const { host } = new URL(settings.origin);
  if (domain !== host) throw makeInvalidError(`is for another domain than ${host}`);
  if (uri !== wanted) throw makeInvalidError(`is for another resource than ${wanted}`);
  if (chainId !== `eip155:${settings.chainId}`) {
    throw makeInvalidError(`is for another chain than eip155:${settings.chainId}`);
  }
}

/** The time when the signed read expires, in seconds since the Unix epoch. */
function checkTimes({ issuedAt, expirationTime, notBefore }: ReadProof, now: number): number {
  const issued = Date.parse(issuedAt);
  const end = Math.min(
    issued + lifetime * 1000,
    expirationTime === undefined ? Number.POSITIVE_INFINITY : Date.parse(expirationTime),
  );
  if (issued > now)
    throw makeInvalidError("was issued in the future: compare your clock with the answer's date header");
  if (end <= now) throw makeInvalidError(`has expired: it is valid for ${lifetime / 60} minutes at most`);
  if (notBefore !== undefined && Date.parse(notBefore) > now) throw makeInvalidError("is not valid yet");
  return Math.ceil(end / 1000);
}

/** Writes the message in CAIP-122's form for EVM chains, which is EIP-4361's form without a scheme. */
function writeMessage(proof: ReadProof, { chainId }: Settings): string {
  const { address, issuedAt, expirationTime, notBefore, statement, requestId, resources } = proof;
  const { domain, uri, nonce, version } = proof;
  try {
    return createSiweMessage({
      address: getAddress(address),
      chainId,
      domain,
      uri,
      version,
      nonce,
      issuedAt: new Date(issuedAt),
      ...(expirationTime !== undefined && { expirationTime: new Date(expirationTime) }),
      ...(notBefore !== undefined && { notBefore: new Date(notBefore) }),
      ...(statement !== undefined && { statement }),
      ...(requestId !== undefined && { requestId }),
      ...(resources !== undefined && { resources }),
    });
  } catch (cause) {
    throw makeInvalidError("holds a field that no EIP-4361 message may have", cause);
  }
}

function makeInvalidError(what: string, cause?: unknown): AppError {
  return new AppError("auth", "invalid_sign_in", `The sign-in-with-x header ${what}. Sign a new message.`, {
    cause,
  });
}

/**
 * Uses up a signed read, so that only one of two requests with the same message is served. The function makes one write to the table. A
 * caller uses up a signed read only if the wallet may read the text. Throws `invalid_nonce` (`auth`).
 */
export async function consumeSignedRead(
  { table, clock }: Pick<AllPorts, "table" | "clock">,
  { wallet, nonce, expiresAt }: SignedRead,
): Promise<void> {
  // The table key of a signed read's nonce contains a hyphen. The nonce of a sign-in never contains a hyphen, so the two kinds of nonces
  // cannot be confused.
  const key = `read-${hashSecret(`${wallet} ${nonce}`)}`;
  const spent = await commit({ table, clock }, (entities) => ({
    nonce: entities.nonce
      .put({ nonce: key, wallet, message: "a signed read", expiresAt })
      .where((attribute, { notExists }) => notExists(attribute.nonce))
      .commit(),
  }));
  if (spent.done) return;
  if (!spent.refused.has("nonce")) throw makeBusyError(new Error("Other requests kept writing this nonce"));
  throw new AppError(
    "auth",
    "invalid_nonce",
    "This signed message was used before. Sign a new message with another nonce.",
  );
}
