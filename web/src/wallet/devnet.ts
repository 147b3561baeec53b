import {
  createClient,
  encodeFunctionData,
  erc20Abi,
  http,
  isHex,
  type LocalAccount,
  type TypedDataDefinition,
} from "viem";
import { type HDAccount, mnemonicToAccount } from "viem/accounts";
import { sendTransaction } from "viem/actions";
import * as z from "zod";

/**
 * The accounts of every development chain. The private keys of the development accounts are public, so on another chain anybody could take
 * money that is sent to these accounts.
 */
const mnemonic = "test test test test test test test test test test test junk";

type DevelopmentAccount = { readonly role: string; readonly index: number };

/**
 * One wallet for each role, so that a developer can act as publisher or as reader with one click. The wallet with the role "publisher" has
 * published the demo presses.
 */
const developmentAccounts: readonly DevelopmentAccount[] = [
  { role: "Devnet reader", index: 8 },
  { role: "Devnet publisher", index: 4 },
  { role: "Devnet stockholder", index: 1 },
];

/** Deriving a key takes a tenth of a second, so the key is derived only when the wallet is used. */
function deriveKeyOnce({ index }: DevelopmentAccount): () => HDAccount {
  let derived: HDAccount | undefined;
  return () => {
    derived ??= mnemonicToAccount(mnemonic, { addressIndex: index });
    return derived;
  };
}

const Hex = z.custom<`0x${string}`>((value) => isHex(value));
const Transaction = z.object({
  to: Hex,
  data: Hex.optional(),
  value: Hex.optional().transform((value) => (value === undefined ? undefined : BigInt(value))),
});
const TypedData = z.string().transform((text): TypedDataDefinition => JSON.parse(text));

const relay = http(`${window.location.origin}/api/rpc`);

type WalletRequest = { readonly method: string; readonly params?: readonly unknown[] };

/**
 * An EIP-1193 provider that signs without asking the user. The provider sends all requests, except requests for signatures, to the RPC
 * relay. The provider signs with an account whose private key is publicly known.
 */
function makeProvider(key: () => LocalAccount) {
  const send = ([wanted]: readonly unknown[]) => {
    const { to, data, value } = Transaction.parse(wanted);
    return sendTransaction(createClient({ account: key(), transport: relay }), {
      chain: null,
      to,
      ...(data !== undefined && { data }),
      ...(value !== undefined && { value }),
    });
  };

  return {
    request: async ({ method, params = [] }: WalletRequest): Promise<unknown> => {
      switch (method) {
        case "eth_requestAccounts":
        case "eth_accounts":
          return [key().address];
        case "wallet_switchEthereumChain":
        case "wallet_revokePermissions":
          return null;
        case "personal_sign":
          return key().signMessage({ message: { raw: Hex.parse(params[0]) } });
        case "eth_signTypedData_v4":
          return key().signTypedData(TypedData.parse(params[1]));
        case "eth_sendTransaction":
          return send(params);
        default:
          return relay({}).request({ method, params });
      }
    },
    on: () => undefined,
    removeListener: () => undefined,
  };
}

/** The devnet account that gives USDG and ETH to everybody. */
const giver = deriveKeyOnce({ role: "Devnet giver", index: 6 });

export const gifts = { usdg: 10_000_000n, ether: 10n ** 16n } as const;

/** Sends free USDG or ETH to a wallet on the devnet. Throws viem's errors. */
export async function giveTestMoney(
  currency: keyof typeof gifts,
  to: `0x${string}`,
  usdg: `0x${string}`,
): Promise<void> {
  const data = encodeFunctionData({ abi: erc20Abi, functionName: "transfer", args: [to, gifts.usdg] });
  const call = currency === "usdg" ? { to: usdg, data } : { to, value: gifts.ether };
  await sendTransaction(createClient({ account: giver(), transport: relay }), { chain: null, ...call });
}

/** A text that marks the code of the development wallet. The tests make sure that bundles for production do not contain this text. */
const marker = "press-market.development-wallet";

let announced = false;

/** Announces the development wallets as extensions do (EIP-6963), once per page. */
export function announceDevelopmentWallets(): void {
  if (announced) return;
  announced = true;
  const details = developmentAccounts.map((each) => ({
    info: {
      uuid: crypto.randomUUID(),
      name: each.role,
      icon: makeIcon(each.index),
      rdns: `${marker}.${each.index}`,
    },
    provider: makeProvider(deriveKeyOnce(each)),
  }));
  const announce = () => {
    for (const detail of details) {
      window.dispatchEvent(new CustomEvent("eip6963:announceProvider", { detail: Object.freeze(detail) }));
    }
  };
  window.addEventListener("eip6963:requestProvider", announce);
  announce();
}

/** The wallet's icon: the account's number on a background in a warning colour. */
function makeIcon(index: number) {
  const drawing = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" fill="#85460a"/><text x="16" y="22" font-family="sans-serif" font-size="17" font-weight="700" fill="#fff" text-anchor="middle">${index}</text></svg>`;
  return `data:image/svg+xml,${encodeURIComponent(drawing)}` as const;
}
