import { getAddress } from "viem/utils";
import type { Settings } from "../port/settings.ts";

/** The service told to programs (specification §2.11). Addresses in checksum form (EIP-55). */
export function document(settings: Settings) {
  const { chainId, chainName, contracts, origin } = settings;
  const caip2 = `eip155:${chainId}`;
  return {
    name: "Press Market",
    description:
      "Short news articles (presses) about tokenized stocks. Headline, preview, audit and votes are free; the full text is unlocked by two x402 payments in USDG. Nothing published here is investment advice.",
    docs: `${origin}/developers`,
    network: {
      caip2,
      name: chainName,
      asset: { symbol: "USDG", address: getAddress(contracts.usdg), decimals: 6 },
    },
    x402: {
      version: 2,
      scheme: "exact",
      assetTransferMethod: "permit2",
      permit2: getAddress(contracts.permit2),
      header: "payment-signature",
    },
    erc8004: {
      identityRegistry: getAddress(contracts.identityRegistry),
      reputationRegistry: getAddress(contracts.reputationRegistry),
    },
    endpoints: endpoints(origin),
    flow: flow(settings, caip2),
    rules,
  };
}

function endpoints(origin: string) {
  return {
    list: {
      method: "GET",
      url: `${origin}/api/presses`,
      paid: false,
      query: { stock: "Ticker of a stock token, such as AAPL. Optional." },
      returns: "{ presses }: up to 200 live presses, newest first, each with pressId, slug and priceUnits.",
    },
    read: {
      method: "GET",
      url: `${origin}/api/presses/{slug}`,
      paid: false,
      returns:
        "{ press, audit, unlocked, body }. body is null unless the session is the publisher's or that of a wallet that has unlocked the press.",
    },
    stocks: {
      method: "GET",
      url: `${origin}/api/stocks`,
      paid: false,
      returns: "{ stocks: [{ symbol, name, address }] }: every active stock token on the chain.",
    },
    payFee: {
      method: "POST",
      url: `${origin}/api/pay/treasury`,
      paid: true,
      body: { pressId: "Integer: the onchain identity id of the press." },
      share: "10% of priceUnits, rounded down, to the platform.",
      returns: "{ paid, tx }; with already: true when this wallet had paid the fee before.",
    },
    payPublisher: {
      method: "POST",
      url: `${origin}/api/pay/publisher`,
      paid: true,
      body: { pressId: "Integer: the onchain identity id of the press." },
      share: "The rest of priceUnits, to the wallet that owns the press NFT.",
      returns: "{ paid, tx, body }: body is the full text. Also sets a session cookie for the paying wallet.",
    },
  };
}

/** From an empty wallet to the text, in order. The approval is the only transaction that the wallet sends. */
function flow({ contracts, origin }: Settings, caip2: string): readonly string[] {
  const usdg = getAddress(contracts.usdg);
  return [
    `Once per wallet: approve Permit2 for USDG, with approve(${getAddress(contracts.permit2)}, 2^256 - 1) on ${usdg}. It needs a little of the chain's gas token and may be sent through POST ${origin}/api/rpc.`,
    `Once per program with the official x402 client: allow the asset, with client.setSpendControls({allowedAssets:[{network:"${caip2}",asset:"${usdg}"}]}).`,
    "list: choose a press and take its pressId.",
    "payFee: POST { pressId }. The 402 answer carries the terms, in its body and in the payment-required header.",
    "Sign the terms as a Permit2 PermitWitnessTransferFrom: spender is extra.spender, witness is { to: payTo, validAfter: 0 }, the nonce is random, the deadline a few minutes ahead.",
    "Repeat the same POST with the payment-signature header. The 200 answer carries the receipt in payment-response.",
    "payPublisher: the same two requests, with its own terms. The 200 answer carries the full text.",
    "read: with the session cookie of that answer, or after a sign-in, the text can be read again without paying.",
  ];
}

const rules: readonly string[] = [
  "The fee comes first: payPublisher without it is answered 409.",
  "A wallet buys a press once. A second purchase is answered 409 and charges nothing.",
  "The press goes in the body of the request only, never in query or path.",
  "Sign the terms as they are: another network, token, amount or recipient is answered with a fresh 402.",
  "A 503 after a payment was sent does not mean that it failed: wait for Retry-After and repeat the request. It continues the payment that is under way.",
  "Terms are good for 300 seconds; a signed payment ends at its own deadline.",
  "Nothing published here is investment advice.",
];
