import { decodeFunctionData, getAddress, parseTransaction } from "viem/utils";
import { exactProxyAbi, multicall3Abi } from "../../../../core/chain/abi.ts";
import { mainnet } from "../../../../core/chain/deployment.ts";
import { type Address, type Hex, lower } from "../../../../core/chain/hex.ts";
import { type Permit, permitDigest } from "../../../../core/chain/permit2.ts";
import { encodeHeader } from "../../../../core/payment/index.ts";
import type { Leg } from "../../../../core/payment/schema.ts";
import { aggregateAbi, contracts, payers } from "./ground.ts";

/** Which leg of whose purchase: payer and press by their numbers. */
export type Place = { readonly payer: number; readonly press: number; readonly leg: Leg };

/** A permit that a payer has signed, and what has become of it. */
export type Signed = Place & {
  readonly permit: Permit;
  readonly signature: Hex;
  readonly header: string;
  /** Of the terms that were signed, where the header echoes it. */
  readonly ticket: string | undefined;
  /** Whether the service has broadcast it, ever. */
  broadcast: boolean;
  /** The block in which strangers have settled it. */
  settledIn?: bigint;
  /** Whether its payer has spent its nonce without paying. */
  takenBack: boolean;
};

export function placeName({ payer, press, leg }: Place): string {
  return `payer ${payer}, press ${press}, ${leg}`;
}

/** Permits are told apart in reports by the order in which they were signed; their nonces keep a distance. */
const nonceStep = 1_000_003n;

export function permitNumber({ permit }: Signed): bigint {
  return permit.nonce / nonceStep;
}

/** Whether nothing but their nonces tells two permits apart: the token's logs name none. */
export function looksAlike({ permit: a }: Signed, { permit: b }: Signed): boolean {
  return a.from === b.from && a.to === b.to && a.amount === b.amount;
}

type Signing = {
  readonly life: number;
  readonly named: boolean;
  readonly echoes: boolean;
  readonly now: number;
};

/** A ticket of the form that the service offers. */
export function ticketOf(name: string): string {
  return name.padEnd(43, "_");
}

const settlingAbi = [...exactProxyAbi, ...multicall3Abi, ...aggregateAbi];

/** What honest payers hold: every permit that they have signed, oldest first. */
export function openPurse() {
  const signed: Signed[] = [];
  /** The permits that a transaction settles, in order: one, or as many as a batch has calls. `undefined` for what nobody has signed. */
  function inCalldata(data: Hex): readonly (Signed | undefined)[] {
    const { functionName, args } = decodeFunctionData({ abi: settlingAbi, data });
    if (functionName !== "settle") return args[0].flatMap(({ callData }) => inCalldata(callData));
    const [{ nonce }, owner] = args;
    return [signed.find(({ permit }) => permit.nonce === nonce && permit.from === lower(owner))];
  }
  return {
    all: (): readonly Signed[] => signed,
    of: (place: Place): readonly Signed[] => signed.filter((one) => placeName(one) === placeName(place)),
    inCalldata,
    /** Signs the terms. `life` in seconds, `now` in milliseconds; each offer of terms has a ticket of its own. */
    async sign(
      place: Place,
      terms: { readonly amount: bigint; readonly to: Address },
      { life, named, echoes, now }: Signing,
    ): Promise<Signed> {
      const payer = payers[place.payer];
      if (payer === undefined) throw new RangeError("There is no such payer.");
      const permit: Permit = {
        from: payer.wallet,
        token: contracts.usdg,
        amount: terms.amount,
        spender: contracts.exactProxy,
        nonce: BigInt(signed.length + 1) * nonceStep,
        deadline: BigInt(Math.floor(now / 1000) + life),
        validAfter: 0n,
        to: terms.to,
      };
      const digest = permitDigest({ chainId: mainnet.chainId, permit2: contracts.permit2 }, permit);
      // The contract takes the signature as it is: the wallet's owner signs the same digest.
      const signature = await payer.key.sign({ hash: digest });
      const name = named ? `attempt-number-${signed.length}` : undefined;
      const ticket = echoes ? ticketOf(`offer-${signed.length}`) : undefined;
      const one = {
        ...place,
        permit,
        signature,
        header: headerOf({ permit, signature }, { name, ticket }),
        ticket,
        broadcast: false,
        takenBack: false,
      };
      signed.push(one);
      return one;
    },
  };
}
export type Purse = ReturnType<typeof openPurse>;

/** The calldata, sender's nonce and target of a raw transaction. */
export function readRaw(raw: Hex): { readonly data: Hex; readonly nonce: number } {
  const { data = "0x", nonce = 0 } = parseTransaction(raw);
  return { data, nonce };
}

/** The header of a signed permit, with what a client may add that does not go on the chain. */
export function headerOf(
  { permit, signature }: Pick<Signed, "permit" | "signature">,
  { name, ticket }: { readonly name?: string | undefined; readonly ticket?: string | undefined },
): string {
  return encodeHeader({
    x402Version: 2,
    accepted: {
      scheme: "exact",
      network: `eip155:${mainnet.chainId}`,
      amount: String(permit.amount),
      asset: getAddress(permit.token),
      payTo: getAddress(permit.to),
      maxTimeoutSeconds: 300,
      extra: { assetTransferMethod: "permit2", spender: permit.spender, name: "USDG", ticket },
    },
    payload: {
      signature,
      permit2Authorization: {
        permitted: { token: permit.token, amount: String(permit.amount) },
        from: permit.from,
        spender: permit.spender,
        nonce: String(permit.nonce),
        deadline: String(permit.deadline),
        witness: { to: permit.to, validAfter: String(permit.validAfter) },
      },
    },
    ...(name !== undefined && {
      extensions: { "payment-identifier": { info: { required: false, id: name } } },
    }),
  });
}
