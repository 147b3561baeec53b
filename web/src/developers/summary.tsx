import type { Discovery } from "../api/discovery.ts";
import { developers as words } from "../strings/developers.ts";
import { Hex } from "../ui/hex.tsx";
import { Pair, Pairs } from "../ui/pairs.tsx";
import { Section } from "./section.tsx";

/** What the service is and on what it runs, with its documents. */
export function Summary({ service: { name, description, network, x402 } }: { readonly service: Discovery }) {
  return (
    <Section heading={name}>
      <p>{description}</p>
      <div className="grid gap-x-10 gap-y-6 rounded-2xl border border-line bg-card p-5 shadow-card sm:grid-cols-[1fr_auto]">
        <Pairs>
          <Pair term={words.network}>
            {network.name} (<code>{network.caip2}</code>)
          </Pair>
          <Pair term={words.token}>
            {network.asset.symbol}, {words.decimals(network.asset.decimals)},{" "}
            <Hex kind="address" value={network.asset.address} />
          </Pair>
          <Pair term={words.payment}>
            {words.protocol(x402.version, x402.scheme, x402.assetTransferMethod)}
          </Pair>
          <Pair term="Permit2">
            <Hex kind="address" value={x402.permit2} />
          </Pair>
          <Pair term={words.header}>
            <code>{x402.header}</code>
          </Pair>
        </Pairs>
        <nav aria-label={words.documents} className="grid content-start gap-2 text-sm">
          {Object.entries(words.documentNames).map(([path, label]) => (
            <a key={path} href={path} className="link">
              {label}
            </a>
          ))}
        </nav>
      </div>
    </Section>
  );
}
