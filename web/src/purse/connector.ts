import { type Chain, type EIP1193Provider, isHex, numberToHex } from "viem";
import { injected } from "wagmi/connectors/injected";
import * as z from "zod";
import type { Discovery } from "../api/discovery.ts";
import { purseName } from "../strings/wallet.ts";
import type { ShownRequest, SigningRules } from "./allow.ts";
import { PurseProblem } from "./passkey.ts";
import { type Purse, readPurse } from "./purse.ts";

/** The id of the purse's connector in wagmi. The purse never announces itself to other scripts by events on the window (EIP-6963). */
export const purseConnectorId = "passkey";

export type PurseConnector = {
  readonly connector: ReturnType<typeof injected>;
  /**
   * Tells the purse which payments or transaction the page has shown and the person has accepted. The purse signs only the shown payments
   * or transaction, and sign-in messages. All shown payments are signed after one confirmation with the passkey, and each payment is signed
   * only once.
   */
  readonly show: (shown: ShownRequest, typed?: readonly unknown[]) => void;
  /** Informs wagmi that another purse was opened. */
  readonly changed: (purse: Purse) => void;
};

type PurseChain = { readonly chain: Chain; readonly service: Discovery; readonly relay: string };

const Request = z.object({ method: z.string(), params: z.unknown().optional() });
const Message = z.tuple([z.custom<`0x${string}`>((value) => isHex(value)), z.string()]);
const Typed = z.tuple([z.string(), z.string().transform((text): unknown => JSON.parse(text))]);
const Sent = z.tuple([z.unknown()], z.unknown());

/**
 * The purse as a wallet for this page: an EIP-1193 provider. The private key exists only for a moment after the person has confirmed with
 * the passkey.
 */
export function makePurseConnector(place: PurseChain): PurseConnector {
  const { chain, service } = place;
  const listeners = new Map<string, Set<(value: unknown) => void>>();
  let table: SigningSet | undefined;

  const makeRules = ({ address }: Purse): SigningRules => ({
    address,
    chainId: chain.id,
    token: service.network.asset.address,
    identityRegistry: service.erc8004.identityRegistry,
    reputationRegistry: service.erc8004.reputationRegistry,
    origin: window.location.origin,
  });

  const request = async (asked: unknown): Promise<unknown> => {
    const { method, params } = Request.parse(asked);
    const purse = readPurse();
    if (method === "eth_chainId") return numberToHex(chain.id);
    if (method === "eth_accounts") return purse === undefined ? [] : [purse.address];
    if (method === "wallet_revokePermissions") return null;
    if (purse === undefined) throw new PurseProblem("gone");
    if (method === "eth_requestAccounts") return [purse.address];
    // The libraries for keys and signatures are loaded only when a signature is needed.
    const { signText, signTypedMessage: signTyped, sendCall } = await import("./sign.ts");
    switch (method) {
      case "personal_sign":
        return signText(purse, makeRules(purse), Message.parse(params)[0]);
      case "eth_signTypedData_v4": {
        const [, typed] = Typed.parse(params);
        if (table === undefined) throw new PurseProblem("refused");
        return signTyped(purse, makeRules(purse), table, typed);
      }
      case "eth_sendTransaction":
        return sendCall(purse, makeRules(purse), table?.shown, Sent.parse(params)[0], place);
      default:
        throw Object.assign(new Error(`A purse does not answer ${method}.`), { code: 4200 });
    }
  };

  const provider = EthereumProvider.parse({
    request,
    on: (event: string, listener: (value: unknown) => void) => {
      const known = listeners.get(event) ?? new Set();
      listeners.set(event, known.add(listener));
    },
    removeListener: (event: string, listener: (value: unknown) => void) =>
      void listeners.get(event)?.delete(listener),
  });
  return {
    connector: injected({ target: { id: purseConnectorId, name: purseName, provider } }),
    show: (shown, typed = []) => {
      table = { shown, typed, signatures: undefined, taken: new Set() };
    },
    changed: ({ address }) => {
      for (const listener of listeners.get("accountsChanged") ?? []) listener([address]);
    },
  };
}

/**
 * The messages that the page has shown to the person and that the purse must sign. When the page first requests a signature for one of the
 * messages, the purse signs all of the messages.
 */
export type SigningSet = {
  readonly shown: ShownRequest;
  readonly typed: readonly unknown[];
  signatures: Promise<ReadonlyMap<string, `0x${string}`>> | undefined;
  readonly taken: Set<string>;
};

/**
 * Returns the provider as viem's type, because viem's type also states the type of each method's result. The only check is that the
 * provider is an object with `request`.
 */
const EthereumProvider = z.custom<EIP1193Provider>(
  (value) => typeof value === "object" && value !== null && "request" in value,
);
