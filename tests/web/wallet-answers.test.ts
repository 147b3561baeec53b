import { BaseError, InternalRpcError } from "viem";
import { expect, test } from "vitest";
import { wallet as words } from "../../web/src/strings/common.ts";
import { findProblem } from "../../web/src/wallet/ask.ts";
import * as answers from "../support/browser/answers.ts";

/** Makes an error in the form in which a wallet extension throws errors. */
const makeError = ({ message, ...rest }: answers.Refusal) => Object.assign(new Error(message), rest);

/** Makes a wallet's error in the form that it has after viem and wagmi have wrapped it. */
const wrapError = (refusal: answers.Refusal) =>
  new BaseError("The call failed.", { cause: new InternalRpcError(makeError(refusal)) });

test.each([
  ["a person's no", answers.userRejected, "rejected"],
  ["a person's no by WalletConnect", answers.walletConnectRejected, "rejected"],
  ["another open request", answers.requestPending, "busy"],
  ["a locked wallet", answers.unauthorized, "gone"],
  ["a chain that MetaMask does not know", answers.makeUnknownChainRefusal(4663), "network"],
  ["a chain that MetaMask's app does not know", answers.makeUnknownChainOfAppRefusal(4663), "network"],
  ["MetaMask on another chain than the typed data", answers.makeOtherChainRefusal(4663, 1), "network"],
  ["Rabby on another chain than the transaction", answers.transactionOfOtherChain, "network"],
  ["Rabby with another account", answers.otherAccount, "failed"],
  ["a closed window of Coinbase's smart wallet", answers.coinbaseWindowClosed, "rejected"],
  ["a chain that Coinbase's smart wallet does not know", answers.coinbaseUnknownChain, "network"],
  ["a Safe's owner's no", answers.safeRejected, "rejected"],
  ["a Safe that is not on the chain", answers.safeOtherChain, "network"],
  ["a Safe with another address", answers.safeOtherAddress, "failed"],
] as const)(
  "the site recognises the wallet's answer “%s” in a plain error and in an error that viem has wrapped",
  (_, refusal, kind) => {
    for (const error of [makeError(refusal), wrapError(refusal)]) {
      const problem = findProblem(error);
      expect(problem.kind).toBe(kind);
      expect(problem.message.startsWith(words[kind])).toBe(true);
      expect(problem.cause).toBe(error);
    }
  },
);

test("a wallet's error is recognised by its innermost cause", () => {
  const inner = { code: 4001, message: "User denied." };
  for (const data of [inner, { cause: inner }, { originalError: inner }, { cause: { data: inner } }]) {
    expect(findProblem({ code: -32603, message: "Internal JSON-RPC error.", data }).kind).toBe("rejected");
  }
});

test("an error that has itself as its cause does not start an endless loop", () => {
  const error: Record<string, unknown> = { code: -32603, message: "Internal JSON-RPC error." };
  Object.assign(error, { cause: error, data: error });
  expect(findProblem(error).kind).toBe("failed");
});
