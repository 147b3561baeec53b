/**
 * What wallets answer instead of doing what they are asked, as their sources or documents have it. A wallet whose words nobody
 * could cite is not here: Robinhood's publishes neither source nor error codes, so nothing is claimed of it.
 */
export type Refusal = { readonly code: number; readonly message: string; readonly data?: unknown };

/** EIP-1193 (provider errors): the person said no. MetaMask/rpc-errors src/error-constants.ts has the same words. */
export const userRejected: Refusal = { code: 4001, message: "User rejected the request." };

/** MetaMask/rpc-errors src/error-constants.ts (EIP-1474's "resource unavailable"): another request of its kind is open. */
export const requestPending: Refusal = {
  code: -32002,
  message: "Request of type 'wallet_requestPermissions' already pending. Please wait.",
};

/** EIP-1193 4100, as MetaMask/rpc-errors src/error-constants.ts words it: locked, or the site has no permission. */
export const unauthorized: Refusal = {
  code: 4100,
  message: "The requested account and/or method has not been authorized by the user.",
};

/** MetaMask's extension (metamask-extension pull request 11030): the chain has to be added first. */
export function unknownChain(chainId: number): Refusal {
  const id = `0x${chainId.toString(16)}`;
  return {
    code: 4902,
    message: `Unrecognized chain ID "${id}". Try adding the chain using wallet_addEthereumChain first.`,
  };
}

/** The same by MetaMask's app, whose own code is inside (Uniswap/web3-react pull request 770 shows a capture of it). */
export function unknownChainOfApp(chainId: number): Refusal {
  return { ...unknownChain(chainId), code: -32603, data: { originalError: { code: 4902 } } };
}

/**
 * MetaMask (MetaMask/core packages/signature-controller/src/utils/validation.ts): typed data of another chain. It is a plain
 * error, which MetaMask/rpc-errors src/utils.ts `serializeError` sends as -32603 with the words in `data.cause`.
 */
export function typedDataOfOtherChain(wanted: number, active: number): Refusal {
  const message = `Provided chainId "${wanted}" must match the active chainId "${active}"`;
  return { code: -32603, message: "Internal JSON-RPC error.", data: { cause: { message } } };
}

/** Rabby (RabbyHub/Rabby src/background/controller/provider/controller.ts, ethSendTransaction): -32602 with these words. */
export const transactionOfOtherChain: Refusal = {
  code: -32602,
  message: "chainId should be same as current chainId",
};

/** Rabby, the same file: a signature or a transaction of another account than its current one. */
export const otherAccount: Refusal = { code: -32602, message: "from should be same as current address" };

/** WalletConnect (`@walletconnect/utils`, USER_REJECTED): a person's no in a wallet elsewhere, which reaches pages as it is. */
export const walletConnectRejected: Refusal = { code: 5000, message: "User rejected." };
