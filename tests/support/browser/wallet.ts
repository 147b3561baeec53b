import type { BrowserContext } from "playwright-core";
import { createClient, http, type LocalAccount } from "viem";
import { sendTransaction } from "viem/actions";
import * as z from "zod";
import { HexInput } from "../../../core/chain/hex.ts";
import { ownConnection } from "../../../local/seed/client.ts";
import { post } from "../post.ts";
import {
  makeOtherChainRefusal,
  makeUnknownChainRefusal,
  otherAccount,
  type Refusal,
  tipAboveMaximum,
  transactionOfOtherChain,
  userRejected,
} from "./answers.ts";

/** The wallet's reaction to a method: the wallet refuses, never answers, or does what the method asks (`undefined`). */
export type Reaction = (method: string) => Refusal | "silence" | undefined;

export type InjectedWallet = Awaited<ReturnType<typeof injectWallet>>;

export type WalletOptions = {
  readonly account: LocalAccount;
  readonly rpcUrl: string;
  /** The id of the wallet's first chain. The default is the devnet's chain id. */
  readonly chainId?: number;
  /** The chains that the wallet knows and can switch to. A chain that is not in this list must be added first. */
  readonly chains?: readonly number[];
  /** The wallet's refusal of an unknown chain. The default is the refusal of MetaMask's extension. */
  readonly unknownChain?: (chainId: number) => Refusal;
  /** If `true`, the wallet does not announce itself, and pages find no wallet. */
  readonly silent?: boolean;
};

const Request = z.object({ method: z.string(), params: z.array(z.unknown()).default([]) });
const Chain = z.tuple([z.object({ chainId: z.string().transform(Number) })]);
const Quantity = z.string().transform(BigInt).optional();
const Transaction = z.tuple([
  z.object({
    from: z.string(),
    to: HexInput,
    data: HexInput.optional(),
    chainId: z.string().transform(Number).optional(),
    value: Quantity,
    gas: Quantity,
    maxFeePerGas: Quantity,
    maxPriorityFeePerGas: Quantity,
  }),
]);
const TypedData = z.object({
  domain: z.looseObject({ chainId: z.coerce.number().optional() }),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.unknown()),
});

/** The typed data in a request to a wallet, in the form that an account signs. */
export function parseTypedData(text: unknown) {
  const { types, ...data } = TypedData.parse(JSON.parse(z.string().parse(text)));
  const { EIP712Domain: _, ...own } = types;
  return { ...data, types: own };
}

/**
 * The tip that MetaMask fills in if a transaction has none and its gas service does not know the chain (MetaMask/core
 * packages/gas-fee-controller calculateGasFeeEstimatesForPriorityLevels.ts, "medium").
 */
const usualTip = 1_500_000_000n;

export const walletName = "Test Wallet";
const devnet = 4663;

/** The error that a wallet throws for a refusal. */
class RefusalError extends Error {
  readonly refusal: Refusal;

  constructor(refusal: Refusal) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/**
 * A wallet that announces itself to every page of the context (EIP-6963) and signs with the given key in the
 * test's process, as a browser extension does.
 */
export async function injectWallet(context: BrowserContext, options: WalletOptions) {
  const { account, rpcUrl } = options;
  const client = createClient({ account, transport: http(rpcUrl, ownConnection) });
  const asked: string[] = [];
  const chains = new Set(options.chains ?? [devnet]);
  let chainId = options.chainId ?? devnet;
  let reaction: Reaction | undefined;
  const refuseChain = options.unknownChain ?? makeUnknownChainRefusal;
  const requireOwn = (from: unknown) => {
    if (String(from).toLowerCase() !== account.address.toLowerCase()) throw new RefusalError(otherAccount);
  };

  const answer = async ({ method, params }: z.infer<typeof Request>): Promise<unknown> => {
    switch (method) {
      case "eth_requestAccounts":
      case "eth_accounts":
        return [account.address];
      case "eth_chainId":
        return `0x${chainId.toString(16)}`;
      case "wallet_switchEthereumChain": {
        const [wanted] = Chain.parse(params);
        if (!chains.has(wanted.chainId)) throw new RefusalError(refuseChain(wanted.chainId));
        chainId = wanted.chainId;
        return null;
      }
      case "wallet_addEthereumChain": {
        const [added] = Chain.parse(params);
        chains.add(added.chainId);
        chainId = added.chainId;
        return null;
      }
      case "wallet_revokePermissions":
        return null;
      case "personal_sign":
        requireOwn(params[1]);
        return account.signMessage({ message: { raw: HexInput.parse(params[0]) } });
      case "eth_signTypedData_v4": {
        const data = parseTypedData(params[1]);
        requireOwn(params[0]);
        const wanted = data.domain.chainId;
        if (wanted !== undefined && wanted !== chainId) {
          throw new RefusalError(makeOtherChainRefusal(wanted, chainId));
        }
        return account.signTypedData(data);
      }
      case "eth_sendTransaction": {
        const [{ from, chainId: wanted = chainId, ...transaction }] = Transaction.parse(params);
        requireOwn(from);
        const { maxFeePerGas, maxPriorityFeePerGas = usualTip } = transaction;
        if (maxFeePerGas !== undefined && maxPriorityFeePerGas > maxFeePerGas)
          throw new RefusalError(tipAboveMaximum);
        // The test's wallet cannot reach any chain except the devnet.
        if (wanted !== chainId || chainId !== devnet) throw new RefusalError(transactionOfOtherChain);
        return sendTransaction(client, { chain: null, ...transaction });
      }
      default:
        return relayCall(rpcUrl, method, params);
    }
  };

  await context.exposeBinding("walletRequest", async (_, text: string) => {
    const request = Request.parse(JSON.parse(text));
    asked.push(request.method);
    const refusal = reaction?.(request.method);
    if (refusal === "silence") return new Promise(() => undefined);
    if (refusal !== undefined) return { error: refusal };
    try {
      return { result: await answer(request) };
    } catch (error) {
      return {
        error: error instanceof RefusalError ? error.refusal : { code: -32603, message: String(error) },
      };
    }
  });
  if (options.silent === true) await context.addInitScript(hideWallets);
  else await context.addInitScript(announce, walletName);
  return {
    account,
    /** The methods that pages have requested, in order. */
    asked,
    /** The number of times that the wallet was asked to sign a payment. */
    signatures: () => asked.filter((method) => method === "eth_signTypedData_v4").length,
    /**
     * Sets the wallet's reaction to later requests. If the function is called with `undefined`, the wallet answers requests normally again.
     */
    react: (next: Reaction | undefined) => {
      reaction = next;
    },
    /** Changes the chain inside the wallet without telling the pages. */
    moveTo: (next: number) => {
      chains.add(next);
      chainId = next;
    },
  };
}

/** A reaction that declines every request of the given methods, as a person would. */
export function makeDecline(...methods: readonly string[]): Reaction {
  return (method) => (methods.includes(method) ? userRejected : undefined);
}

/** A reaction that allows the given number of requests of the method, and then declines every request of this method. */
export function makeLateDecline(method: string, times: number): Reaction {
  let asked = 0;
  return (each) => {
    if (each !== method) return undefined;
    asked += 1;
    return asked > times ? userRejected : undefined;
  };
}

async function relayCall(rpcUrl: string, method: string, params: readonly unknown[]): Promise<unknown> {
  const { text } = await post(rpcUrl, JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  return z.object({ result: z.unknown() }).parse(JSON.parse(text)).result;
}

/** Runs in the page: hides all wallets that announce themselves, even the devnet's own wallet. */
function hideWallets(): void {
  window.addEventListener("eip6963:announceProvider", (event) => event.stopImmediatePropagation());
}

/** Runs in the page: announces the provider that a wallet's extension would inject. */
function announce(name: string): void {
  type Answer = {
    readonly result?: unknown;
    readonly error?: { code: number; message: string; data?: unknown };
  };
  const listeners: Record<string, Set<(value: unknown) => void>> = {};
  const ask = (text: string): Promise<Answer> => Reflect.get(window, "walletRequest")(text);
  const provider = {
    request: async (request: { method: string }) => {
      const { result, error } = await ask(JSON.stringify(request));
      if (error !== undefined)
        throw Object.assign(new Error(error.message), { code: error.code, data: error.data });
      return result;
    },
    on: (event: string, listener: (value: unknown) => void) => {
      listeners[event] ??= new Set();
      listeners[event].add(listener);
    },
    removeListener: (event: string, listener: (value: unknown) => void) => listeners[event]?.delete(listener),
  };
  const info = {
    uuid: "6a1f7f3e-0000-4000-8000-000000000001",
    name,
    rdns: "test.wallet",
    icon: "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg'/%3E",
  };
  const detail = Object.freeze({ info, provider });
  const tell = () => window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail }));
  window.addEventListener("eip6963:requestProvider", tell);
  tell();
}
