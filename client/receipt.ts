import {
  type Address,
  BaseError,
  type Hex,
  isAddress,
  isAddressEqual,
  isHex,
  parseAbi,
  parseEventLogs,
  recoverTypedDataAddress,
} from "viem";
import { getTransactionReceipt } from "viem/actions";
import { paths } from "./buy.ts";
import { awaitNodeAnswer, type Chain } from "./chain.ts";
import { MarketError } from "./error.ts";
import { readMember, readText } from "./http.ts";
import type { LegRecord } from "./journal.ts";
import type { Leg } from "./terms.ts";
import { type Place, receiptDomain, receiptTypes } from "./typed-data.ts";
import type { SignedReceipt } from "./types.ts";

/** A receipt that was checked against its signer, the chain and the payment. */
export type VerifiedReceipt = {
  readonly leg: Leg;
  readonly pressId: number;
  readonly payer: Address;
  /** The time of the payment's settlement, ISO 8601 UTC. */
  readonly at: string;
  readonly transaction: Hex;
  /** The receipt exactly as the service sent it, so that other people can verify the receipt. */
  readonly receipt: SignedReceipt;
};

/** The data against which receipts are checked. */
export type ReceiptProofs = {
  readonly origin: string;
  readonly chain: Chain;
  readonly place: Place;
  /** The signer's address, as the service's discovery document gives it. */
  readonly signer: string | undefined;
  /** The wallet whose receipts are wanted; `undefined` means every wallet. */
  readonly wallet: Address | undefined;
  /** The payments that the transaction settled, according to the journal. The service must return a receipt for each of these payments. */
  readonly paid: readonly LegRecord[];
};

const transferAbi = parseAbi(["event Transfer(address indexed from, address indexed to, uint256 value)"]);

/** Converts a transaction's hash to lower case. Throws `invalid_transaction` for a text that is not a transaction's hash. */
export function parseTransactionHash(hash: string): Hex {
  const found = hash.toLowerCase();
  if (isHex(found) && found.length === 66) return found;
  throw new MarketError(
    "invalid_transaction",
    `${hash} is no transaction's hash: 0x and 64 hexadecimal digits.`,
  );
}

/**
 * Checks the signer of every receipt in a service's answer, and checks the wanted receipts against the chain and the journal. Throws
 * `wrong_receipt` if the receipts fail a check, and `signer_unknown` if the service names no valid signer.
 */
export async function verifyReceipts(
  proofs: ReceiptProofs,
  transaction: Hex,
  answer: unknown,
): Promise<readonly VerifiedReceipt[]> {
  const { signer, wallet, paid } = proofs;
  if (signer === undefined || !isAddress(signer)) {
    const message = "The service does not name the signer of its receipts right now. Try again shortly.";
    throw new MarketError("signer_unknown", message, { status: 503, retryAfter: 5 });
  }
  const given = readMember(answer, "receipts");
  const all = await Promise.all(
    (Array.isArray(given) ? given : []).map((receipt: unknown) =>
      verify(proofs, { signer, transaction }, receipt),
    ),
  );
  const wanted = all.filter(({ payer }) => wallet === undefined || isAddressEqual(payer, wallet));
  if (wanted.length === 0) throw makeReceiptError("none of them is this wallet's");
  for (const { name, pressId, wallet: payer } of paid) {
    const isIts = (one: VerifiedReceipt) =>
      one.leg === name && one.pressId === pressId && isAddressEqual(one.payer, payer);
    if (!wanted.some(isIts))
      throw makeReceiptError(`none is for the ${name} leg of press ${pressId}, which it paid`);
  }
  await checkOnChain(proofs, transaction, wanted);
  return wanted;
}

async function verify(
  { origin, place }: ReceiptProofs,
  { signer, transaction }: { readonly signer: Address; readonly transaction: Hex },
  receipt: unknown,
): Promise<VerifiedReceipt> {
  const { payload, signature } = parseReceipt(receipt);
  const { network, resourceUrl, payer, issuedAt } = payload;
  const message = { ...payload, version: 1n, issuedAt: BigInt(issuedAt) };
  const found = await recoverTypedDataAddress({
    domain: receiptDomain,
    types: receiptTypes,
    primaryType: "Receipt",
    message,
    signature,
  }).catch(() => undefined);
  if (found === undefined || !isAddressEqual(found, signer))
    throw makeReceiptError(`${found ?? "nobody"} has signed it instead of ${signer}`);
  if (network !== `eip155:${place.chainId}`) throw makeReceiptError(`it is for the chain ${network}`);
  if (payload.transaction !== transaction)
    throw makeReceiptError(`it is for the transaction ${payload.transaction}`);
  const [url, press = "", ...more] = resourceUrl.split("#pressId=");
  const leg = (["fee", "publisher"] as const).find((name) => url === origin + paths[name]);
  if (leg === undefined || more.length > 0 || !/^(0|[1-9]\d{0,14})$/.test(press))
    throw makeReceiptError(`it is for ${resourceUrl}`);
  return {
    leg,
    pressId: Number(press),
    payer,
    at: new Date(issuedAt * 1000).toISOString(),
    transaction,
    receipt: { format: "eip712", payload, signature },
  };
}

/** Parses a receipt. Receipts exist in only one form and version. Fields that the signature does not cover are left out of the result. */
function parseReceipt(receipt: unknown) {
  const payload = readMember(receipt, "payload");
  const [signature, network, resourceUrl] = [
    readText(receipt, "signature"),
    readText(payload, "network"),
    readText(payload, "resourceUrl"),
  ];
  const [payer, transaction] = [readText(payload, "payer"), readText(payload, "transaction")];
  const issuedAt = readMember(payload, "issuedAt");
  if (readMember(receipt, "format") !== "eip712" || readMember(payload, "version") !== 1)
    throw makeReceiptError("it is of another form or version");
  if (
    network === undefined ||
    resourceUrl === undefined ||
    transaction === undefined ||
    payer === undefined ||
    !isAddress(payer) ||
    !isHex(signature) ||
    typeof issuedAt !== "number" ||
    !Number.isInteger(issuedAt) ||
    Math.abs(issuedAt) > 8e12
  )
    throw makeReceiptError("it lacks what a receipt has to say");
  return { payload: { version: 1 as const, network, resourceUrl, payer, issuedAt, transaction }, signature };
}

/**
 * Checks that the chain shows a USDG transfer for each receipt. If the journal has the payment, the transfer must equal the recorded
 * payment exactly.
 */
async function checkOnChain(
  { chain, place, paid }: ReceiptProofs,
  transaction: Hex,
  receipts: readonly VerifiedReceipt[],
): Promise<void> {
  const onChain = await awaitNodeAnswer(
    getTransactionReceipt(chain, { hash: transaction }).catch((error: unknown) => {
      if (error instanceof BaseError && error.name === "TransactionReceiptNotFoundError") return undefined;
      throw error;
    }),
  );
  if (onChain === undefined) throw makeReceiptError("the chain has no such transaction");
  const { status, logs } = onChain;
  const moved = parseEventLogs({ abi: transferAbi, logs }).filter(({ address }) =>
    isAddressEqual(address, place.usdg),
  );
  for (const { payer } of receipts) {
    const own = receipts.filter((one) => isAddressEqual(one.payer, payer)).length;
    const transfers = moved.filter(({ args }) => isAddressEqual(args.from, payer)).length;
    if (status !== "success" || transfers < own)
      throw makeReceiptError(`the chain shows no such payment by ${payer}`);
  }
  for (const { name, wallet, message } of paid) {
    const isIts = ({ args: { from, to, value } }: (typeof moved)[number]) =>
      isAddressEqual(from, wallet) && isAddressEqual(to, message.to) && value === BigInt(message.amount);
    if (!moved.some(isIts))
      throw makeReceiptError(`the chain shows another payment than the ${name} leg that was signed`);
  }
}

function makeReceiptError(what: string): MarketError {
  return new MarketError("wrong_receipt", `The receipt cannot be trusted: ${what}. Nothing was charged now.`);
}
