import { encodeEventTopics, encodeFunctionData } from "viem/utils";
import * as z from "zod";
import { authorizationAbi, erc20Abi } from "../chain/abi.ts";
import {
  answered,
  Block,
  lateness,
  latestBlock,
  Quantity,
  result,
  unavailable,
  Word,
} from "../chain/call.ts";
import {
  authorizationCalldata,
  authorizationDigest,
  authorizationLogs,
  authorizationRevert,
  authorizationStateCalldata,
  type Authorization as Signed,
  usedFilter,
} from "../chain/eip3009.ts";
import { AddressInput, HashInput, lower } from "../chain/hex.ts";
import { receiptIn, windowSize, windowsOf } from "../chain/receipt.ts";
import type { Authorization, Codes, Method, Proof, Search, SearchPorts } from "./authorization.ts";
import type { Reason } from "./offer.ts";

/** The protocol's codes where it has one. */
const codes: Codes = {
  token: "invalid_exact_evm_token_mismatch",
  spender: "invalid_exact_evm_token_mismatch",
  amount: "invalid_exact_evm_payload_authorization_value_mismatch",
  recipient: "invalid_exact_evm_recipient_mismatch",
  expired: "invalid_exact_evm_payload_authorization_valid_before",
  tooFar: "invalid_exact_evm_payload_authorization_valid_before_too_far",
  tooEarly: "invalid_exact_evm_payload_authorization_valid_after",
  balance: "invalid_exact_evm_insufficient_balance",
  // Nothing has to be approved.
  allowance: "invalid_exact_evm_transaction_simulation_failed",
  nonce: "invalid_exact_evm_nonce_already_used",
  signature: "invalid_exact_evm_signature",
  simulation: "invalid_exact_evm_transaction_simulation_failed",
};

const wrongSignature: Reason = {
  code: codes.signature,
  error:
    "USDG does not take the payment's signature. Nothing was charged. A contract wallet whose signatures USDG does not check can pay by Permit2.",
};

/** No revert has this name: a spent nonce makes no call fail (facts of Paxos's source). It is the event's. */
const spentName = "AuthorizationAlreadyUsed";

/** The exact scheme by EIP-3009, USDG's own transfer by signature. The payer needs USDG, and neither approval nor ETH. */
export const eip3009: Method = {
  codes,
  // Nobody moves the token but the token itself.
  spender: ({ contracts }) => contracts.usdg,
  read(payload, { chainId, contracts }) {
    if (!("authorization" in payload)) return undefined;
    const { from, to, value, validAfter, validBefore, nonce } = payload.authorization;
    return {
      method: "eip3009",
      chainId,
      from,
      token: contracts.usdg,
      spender: contracts.usdg,
      amount: value,
      nonce: BigInt(nonce),
      // Both ends are exclusive on the chain, and inclusive in the words that all methods share.
      deadline: validBefore - 1n,
      validAfter: validAfter + 1n,
      to,
    };
  },
  digest: (_, authorization) => authorizationDigest(authorization.chainId, signedOf(authorization)),
  call: (authorization, signature) => ({
    to: authorization.token,
    data: authorizationCalldata(signedOf(authorization), signature),
  }),
  spentCall: (_, { token, from, nonce }, block = "latest") => ({
    method: "eth_call",
    params: [{ to: token, data: authorizationStateCalldata(from, nonce) }, block],
  }),
  isSpent: (_, outcome) => result(outcome, Word) === 1n,
  allowanceCall: () => undefined,
  payoutCall({ contracts }, from, to, amount) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, amount] });
    return { method: "eth_call", params: [{ from, to: contracts.usdg, data }, "latest"] };
  },
  revertName: authorizationRevert,
  spentRevert: spentName,
  reasons: {
    [spentName]: {
      code: codes.nonce,
      error:
        "The payment's nonce is spent, for another payment or by its cancellation. Nothing was charged: sign the fresh terms with a new nonce.",
    },
    AuthorizationExpired: { code: codes.expired, error: "The signed payment has expired." },
    AuthorizationInvalid: { code: codes.tooEarly, error: "The signed payment is not valid yet." },
    InvalidSignature: wrongSignature,
    InvalidValueS: wrongSignature,
    InvalidECRecoverSignature: wrongSignature,
    // An older USDG has no form for signatures of other lengths than a key's.
    FacetNotFound: wrongSignature,
  },
  paidBy: (_, authorization, receipt) => authorizationLogs(receipt, signedOf(authorization)),
  search,
};

function signedOf({ from, token, amount, to, validAfter, deadline, nonce }: Authorization): Signed {
  return { from, token, amount, to, nonce, validAfter: validAfter - 1n, validBefore: deadline + 1n };
}

/** Windows that one batch asks about, three calls each: providers refuse more than 20. */
const windowsAtOnce = 6;

/** Blocks to look back for what was never presented before: half an hour at 100 ms a block. */
const lookBack = 4n * windowSize;

const Told = z.array(z.object({ transactionHash: HashInput.transform(lower) }));
const Sent = z.object({ from: AddressInput.transform(lower) });

/**
 * How an authorization was spent (invariant 1). The token tells of each nonce by an indexed event, when it is used and when
 * it is cancelled, so the one log decides, whoever sent the transaction and through whatever contract.
 */
async function search(
  ports: SearchPorts,
  authorization: Authorization,
  since: bigint | undefined,
): Promise<Search> {
  const [latest] = await ports.chain.batch([latestBlock]);
  const head = result(latest, Block);
  const from = since ?? (head.number > lookBack ? head.number - lookBack : 0n);
  const { used, cancelled } = await readLogs(ports, authorization, from, head.number);
  const [hash] = used;
  if (hash !== undefined) return settledIn(ports, authorization, hash);
  // What a late node does not show yet is on all of them by then.
  const over = head.timestamp > authorization.deadline + lateness;
  return { kind: cancelled || over ? "unpaid" : "unclear" };
}

/** The transactions in which the nonce was used, at most one, and whether it was cancelled instead. */
async function readLogs(
  { chain }: SearchPorts,
  authorization: Authorization,
  from: bigint,
  to: bigint,
): Promise<{ readonly used: readonly string[]; readonly cancelled: boolean }> {
  const { address, topics } = usedFilter(signedOf(authorization));
  const [cancellation] = encodeEventTopics({ abi: authorizationAbi, eventName: "AuthorizationCanceled" });
  // One filter for both: the first topic may be either, and the two indexed arguments are the same.
  const [usage, ...of] = topics;
  const width = windowSize * BigInt(windowsAtOnce);
  for (let start = from; start <= to; start += width) {
    const windows = windowsOf(start, to, windowsAtOnce);
    const [height, ...answers] = await chain.batch([
      { method: "eth_blockNumber", params: [] },
      ...windows.flatMap((range) => [
        { method: "eth_getLogs", params: [{ address, topics: [usage, ...of], ...range }] },
        { method: "eth_getLogs", params: [{ address, topics: [cancellation, ...of], ...range }] },
      ]),
    ]);
    // The nonce was seen spent as of `to`: a node that is behind that block cannot have the log.
    if (result(height, Quantity) < to) throw unavailable("a node that is behind what was seen of the chain");
    const told = answers.map((answer) => result(answer, Told).map(({ transactionHash }) => transactionHash));
    const used = told.filter((_, index) => index % 2 === 0).flat();
    const cancelled = told.some((logs, index) => index % 2 === 1 && logs.length > 0);
    if (used.length > 0 || cancelled) return { used, cancelled };
  }
  return { used: [], cancelled: false };
}

/** Whether the transaction that used the nonce moved what was signed, for us, and pays for nothing else yet. */
async function settledIn(
  { chain, table, settings }: SearchPorts,
  authorization: Authorization,
  hash: string,
): Promise<Search> {
  const [transaction, receipt] = await chain.batch([
    { method: "eth_getTransactionByHash", params: [hash] },
    { method: "eth_getTransactionReceipt", params: [hash] },
  ]);
  const mined = receiptIn(answered(receipt));
  if (mined === undefined) throw unavailable("a transaction without its receipt");
  const proofs: Proof[] = authorizationLogs(mined, signedOf(authorization)).map((logIndex) => ({
    txHash: mined.transactionHash,
    logIndex,
  }));
  // A key of another stage settles only what was presented there.
  if (settings.siblingRelayers?.includes(result(transaction, Sent).from)) return { kind: "unpaid" };
  if (proofs.length === 0) return { kind: "unpaid" };
  const { data } = await table.entities.transfer.get(proofs).go({ consistent: true });
  const free = proofs.filter(({ logIndex }) => !data.some((taken) => taken.logIndex === logIndex));
  return free.length === 0 ? { kind: "unpaid" } : { kind: "paid", proofs: free };
}
