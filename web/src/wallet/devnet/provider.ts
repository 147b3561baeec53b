import { createClient, http, isHex, type LocalAccount } from "viem";
import { sendTransaction } from "viem/actions";
import * as z from "zod";

const Hex = z.custom<`0x${string}`>((value) => isHex(value));
const Transaction = z.object({
  to: Hex,
  data: Hex.optional(),
  value: Hex.optional().transform((value) => (value === undefined ? undefined : BigInt(value))),
});
const TypedData = z.looseObject({
  domain: z.record(z.string(), z.unknown()),
  types: z.record(z.string(), z.array(z.object({ name: z.string(), type: z.string() }))),
  primaryType: z.string(),
  message: z.record(z.string(), z.unknown()),
});

type Request = { readonly method: string; readonly params?: readonly unknown[] };

/** An EIP-1193 provider that signs at once with a key that everybody knows, and asks the relay for everything else. */
export function developmentProvider(account: LocalAccount) {
  const client = createClient({ account, transport: http(`${window.location.origin}/api/rpc`) });

  const sign = async ([, text]: readonly unknown[]) => {
    const { domain, types, primaryType, message } = TypedData.parse(JSON.parse(z.string().parse(text)));
    const { EIP712Domain: _, ...own } = types;
    return account.signTypedData({ domain, types: own, primaryType, message });
  };
  const send = async ([wanted]: readonly unknown[]) => {
    const { to, data, value } = Transaction.parse(wanted);
    return sendTransaction(client, {
      chain: null,
      to,
      ...(data !== undefined && { data }),
      ...(value !== undefined && { value }),
    });
  };

  return {
    request: async ({ method, params = [] }: Request): Promise<unknown> => {
      switch (method) {
        case "eth_requestAccounts":
        case "eth_accounts":
          return [account.address];
        case "wallet_switchEthereumChain":
        case "wallet_revokePermissions":
          return null;
        case "personal_sign":
          return account.signMessage({ message: { raw: Hex.parse(params[0]) } });
        case "eth_signTypedData_v4":
          return sign(params);
        case "eth_sendTransaction":
          return send(params);
        default:
          return relayed({ method, params });
      }
    },
    on: () => undefined,
    removeListener: () => undefined,
  };
}

const Answer = z.object({
  result: z.unknown(),
  error: z.object({ code: z.number(), message: z.string() }).optional(),
});

async function relayed({ method, params }: Request): Promise<unknown> {
  const response = await fetch("/api/rpc", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const { result, error } = Answer.parse(await response.json());
  if (error !== undefined) throw Object.assign(new Error(error.message), { code: error.code });
  return result;
}
