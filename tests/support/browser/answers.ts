/**
 * The refusals of wallets, taken from the wallets' sources or documents (read in November 2026 at the named commits). Wallets whose
 * messages we did not find, such as Robinhood's wallet, are missing from this file.
 */
export type Refusal = { readonly code: number; readonly message: string; readonly data?: unknown };

/** EIP-1193 4001 means that the user refused; the message is from MetaMask/rpc-errors df5f688 src/error-constants.ts. */
export const userRejected: Refusal = { code: 4001, message: "User rejected the request." };

/**
 * EIP-1474's "resource unavailable" means that another request of the same kind is open; the message is from MetaMask/core e5aa5c5
 * packages/approval-controller/src/ApprovalController.ts.
 */
export const requestPending: Refusal = {
  code: -32002,
  message:
    "Request of type 'wallet_requestPermissions' already pending for origin https://press.example. Please wait.",
};

/**
 * EIP-1193 4100 means that the wallet is locked or that the site has no permission; the message is from MetaMask/rpc-errors and Coinbase's
 * SDK.
 */
export const unauthorized: Refusal = {
  code: 4100,
  message: "The requested account and/or method has not been authorized by the user.",
};

/** MetaMask's extension answers that the chain must be added first (metamask-extension pull request 11030). */
export function makeUnknownChainRefusal(chainId: number): Refusal {
  const id = `0x${chainId.toString(16)}`;
  return {
    code: 4902,
    message: `Unrecognized chain ID "${id}". Try adding the chain using wallet_addEthereumChain first.`,
  };
}

/** MetaMask's app puts its own error code inside another error (Uniswap/web3-react pull request 770 shows a recorded answer). */
export function makeUnknownChainOfAppRefusal(chainId: number): Refusal {
  return { ...makeUnknownChainRefusal(chainId), code: -32603, data: { originalError: { code: 4902 } } };
}

/**
 * MetaMask (MetaMask/core packages/signature-controller/src/utils/validation.ts) refuses typed data of another chain with an `Error`
 * without a code. `serializeError` in MetaMask/rpc-errors src/utils.ts sends an `Error` without a code as -32603, with the message in
 * `data.cause`.
 */
export function makeOtherChainRefusal(wanted: number, active: number): Refusal {
  const message = `Provided chainId "${wanted}" must match the active chainId "${active}"`;
  return { code: -32603, message: "Internal JSON-RPC error.", data: { cause: { message } } };
}

/** Rabby (RabbyHub/Rabby src/background/controller/provider/controller.ts, ethSendTransaction) answers -32602 with this message. */
export const transactionOfOtherChain: Refusal = {
  code: -32602,
  message: "chainId should be same as current chainId",
};

/** MetaMask refuses a transaction whose tip is above the maximum gas price (MetaMask/metamask-mobile issue 7115). */
export const tipAboveMaximum: Refusal = {
  code: -32603,
  message: "maxFeePerGas cannot be less than maxPriorityFeePerGas",
};

/**
 * Rabby (src/background/controller/provider/controller.ts) refuses a signature or a transaction of an account that is not Rabby's current
 * account.
 */
export const otherAccount: Refusal = { code: -32602, message: "from should be same as current address" };

/**
 * The refusal by a user whose wallet is on another device; WalletConnect passes the refusal to pages unchanged (`@walletconnect/utils`,
 * USER_REJECTED).
 */
export const walletConnectRejected: Refusal = { code: 5000, message: "User rejected." };

/**
 * The user closed the window of Coinbase's smart wallet without an answer (coinbase/coinbase-wallet-sdk 713a7d8
 * packages/wallet-sdk/src/core/communicator/Communicator.ts).
 */
export const coinbaseWindowClosed: Refusal = { code: 4001, message: "Request rejected" };

/** The answer of Coinbase's smart wallet about a chain that this wallet does not know (src/core/error/constants.ts, EIP-3085). */
export const coinbaseUnknownChain: Refusal = { code: 4902, message: "Unrecognized chain ID." };

/**
 * An owner of a Safe closed a request that came by WalletConnect (safe-global/safe-wallet-monorepo 0aa27af
 * apps/web/src/services/safe-wallet-provider/index.ts and useSafeWalletProvider.tsx).
 */
export const safeRejected: Refusal = { code: 4001, message: "User rejected signature" };

/** A Safe connected by WalletConnect is not on the requested chain, and the Safe's app does not know the chain. */
export const safeOtherChain: Refusal = { code: 4901, message: "Unsupported chain" };

/** A Safe connected by WalletConnect refuses to sign typed data for another address. */
export const safeOtherAddress: Refusal = { code: -32602, message: "The address is invalid" };

/** A Safe returns `0x` instead of a signature if its owners sign on the chain (useSafeWalletProvider.tsx, `signature || "0x"`). */
export const safeSignsOnChain = "0x";
