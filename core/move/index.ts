import { encodeFunctionData, formatUnits } from "viem/utils";
import { erc20Abi } from "../chain/abi.ts";
import { getResult, makeChainError, makeContractCall, Quantity, requireAnswer, Word } from "../chain/call.ts";
import {
  type Authorization,
  decodeRevert,
  encodeSettleCall,
  encodeStateCall,
  hashAuthorization,
} from "../chain/eip3009.ts";
import type { Hex } from "../chain/hex.ts";
import { parseL1Gas, usualL1GasCall } from "../chain/nitro.ts";
import { isSignedByKey, normaliseSignature } from "../chain/signature.ts";
import { makeBusyError, readCredit, readLastErrand, readSeconds, run } from "../errand/index.ts";
import { AppError } from "../error.ts";
import * as Gas from "../gas/index.ts";
import { longestLife } from "../payment/schema.ts";
import type { RpcOutcome } from "../port/chain.ts";
import type { ErrandItem } from "../record/wallet.ts";
import { type CarryPorts, type Intent, type Keys, prepareGasQuote } from "../relayer/index.ts";
import type { Moved, MoveInput, MoveOffer } from "./schema.ts";

/**
 * Moves a wallet's USDG by the wallet's own signature (EIP-3009). The service pays the gas and sends the transaction as an errand
 * (core/errand).
 *
 * Throws `invalid_signature` (`auth`); `authorization_not_valid` (`input`); `move_without_credit`, `authorization_used` and `move_refused`
 * (each `conflict`); and errors of the kind `upstream`. Only the error `settlement_pending` (`upstream`) means that a transaction was sent.
 */
export async function move(
  ports: CarryPorts,
  { authorization: asked, signature }: MoveInput,
): Promise<Moved | MoveOffer> {
  const { settings } = ports;
  const { value: amount, nonce, ...rest } = asked;
  const authorization = { ...rest, amount, nonce: BigInt(nonce), token: settings.contracts.usdg };
  const digest = hashAuthorization(settings.chainId, authorization);
  if (signature !== undefined && !(await isSignedByKey(authorization.from, digest, signature))) {
    throw new AppError("auth", "invalid_signature", `The signature is not the wallet's. ${nothing}`);
  }
  const { last, keys } = await readLastErrand(ports, authorization.from);
  if (signature !== undefined && last?.state === "done" && last.what === digest) {
    return { moved: true, tx: last.txHash ?? "", already: true };
  }
  checkValidity(ports, authorization);
  const judged = await judgeMove(ports, authorization, signature, last, keys);
  if (signature === undefined) return { moved: false, costUnits: String(judged.cost) };
  const { from: wallet, to, validAfter, validBefore } = authorization;
  const signed = { wallet, to, amount: String(amount), nonce: String(authorization.nonce) };
  const times = { validAfter: String(validAfter), until: String(validBefore) };
  const errand = { ...judged, ...signed, ...times, kind: "move", what: digest, last, nothing } as const;
  const { item, receipt } = await run(ports, errand, keys);
  const { state, txHash = "" } = item;
  if (state === "done") return { moved: true, tx: txHash };
  // If the nonce was already used, the call succeeds without making a transfer.
  if (receipt?.status === "0x1") throw makeReuseError();
  throw makeRefusedError(`The chain did not carry out the transfer in the transaction ${txHash}`);
}

const nothing = "Nothing was moved.";

/**
 * Throws if the authorization expires too soon to reach the chain. Also throws if the authorization is valid for too long, because others
 * can send it as long as it is valid.
 */
function checkValidity(ports: CarryPorts, { validAfter, validBefore }: Authorization): void {
  const now = readSeconds(ports);
  if (validAfter < now && validBefore > now + leastTime && validBefore <= now + longestLife) return;
  throw makeValidityError();
}

export function makeValidityError(): AppError {
  return new AppError(
    "input",
    "authorization_not_valid",
    `The authorization has expired, will expire soon, is not valid yet, or is valid for more than ten minutes. ${nothing} Sign a new authorization with validAfter 0 and validBefore in five minutes.`,
  );
}

/** An authorization must be valid for more than this number of seconds from now. */
const leastTime = 10n;

/**
 * Returns the maximum cost of a move at present, and the message to sign for the move. If the move is refused, nothing is sent or reserved.
 */
async function judgeMove(
  ports: CarryPorts,
  authorization: Authorization,
  signature: Hex | undefined,
  last: ErrandItem | undefined,
  keys: Keys,
): Promise<{ readonly cost: number; readonly ethPrice: number; readonly intent: Intent }> {
  const { from, amount, nonce, token } = authorization;
  const quote = prepareGasQuote(ports, keys);
  if (quote === undefined) throw makeBusyError(nothing, new Error("There are no relayers"));
  const call = {
    to: token,
    data: encodeSettleCall(authorization, normaliseSignature(signature ?? unsigned)),
  };
  const balanceOf = encodeFunctionData({ abi: erc20Abi, functionName: "balanceOf", args: [from] });
  const [credit, [balance, spent, estimate, ...quoted]] = await Promise.all([
    readCredit(ports, from, last),
    ports.chain.batch([
      makeContractCall(token, balanceOf),
      makeContractCall(token, encodeStateCall(from, nonce)),
      signature === undefined
        ? usualL1GasCall
        : { method: "eth_estimateGas", params: [{ from: quote.sender, ...call }] },
      ...quote.calls,
    ]),
  ]);
  const { gasPrice, ethPrice, relayer: asked } = quote.parseQuote(quoted);
  if (getResult(spent, Word) !== 0n) throw makeReuseError();
  if (amount === 0n || getResult(balance, Word) < amount) {
    throw makeRefusedError(`The wallet has ${formatUnits(getResult(balance, Word), 6)} USDG`);
  }
  const gas = signature === undefined ? Gas.usualGas.leg + parseL1Gas(estimate) : parseGas(estimate);
  const { maxPrice } = Gas.readGasLimits(ports.settings);
  if (gasPrice > maxPrice) throw makeChainError(`gas costs ${gasPrice} wei, more than ${maxPrice}`);
  const { maxFeePerGas } = Gas.findFeeLimits({ gas, gasPrice, maxPrice });
  const cost = Gas.convertWei(Gas.findFeeCap({ gas, gasPrice, maxPrice }), ethPrice);
  if (cost > credit) throw makeCreditError(cost, credit);
  return { cost, ethPrice, intent: { call, gas, gasPrice, asked, maxPrice: maxFeePerGas } };
}

/** A placeholder for the signature in a request that asks only for the cost of a move. */
const unsigned: Hex = `0x${"11".repeat(64)}1b`;

function parseGas(estimate: RpcOutcome | undefined): bigint {
  const answer = requireAnswer(estimate);
  if (answer.status === "ok") return getResult(estimate, Quantity);
  const name = decodeRevert(answer.data);
  throw makeRefusedError(`USDG refuses the transfer${name === undefined ? "" : ` (${name})`}`);
}

function makeReuseError(): AppError {
  return new AppError(
    "conflict",
    "authorization_used",
    "This authorization was already used, by us or by somebody else, or was cancelled. This request moved nothing: check the wallet's balance.",
  );
}

function makeRefusedError(reason: string): AppError {
  return new AppError("conflict", "move_refused", `${reason}. ${nothing}`);
}

function makeCreditError(cost: number, credit: number): AppError {
  const [most, left] = [cost, Math.max(0, credit)].map((units) => formatUnits(BigInt(units), 6));
  return new AppError(
    "conflict",
    "move_without_credit",
    `The gas of a move costs up to ${most} USDG now, but only ${left} USDG is left of the fees that this wallet has paid. ${nothing} Send the wallet a little ETH, and move its USDG with an ordinary transfer.`,
  );
}
