import { Link } from "@tanstack/react-router";
import type { Discovery } from "../api/discovery.ts";
import { developers as words } from "../strings/developers.ts";
import { Code } from "../ui/code.tsx";
import { useNewest } from "./newest.ts";
import { approveProgram, install, payProgram } from "./sample.ts";
import { Section } from "./section.tsx";

/** Stands in examples as long as there is no press to take. */
const placeholder = { pressId: 0, priceUnits: "1000000" } as const;

/** How a program or a terminal pays for a press. The terms come from the service, not from this page. */
export function PayFromCode({ service }: { readonly service: Discovery }) {
  const newest = useNewest();
  const { name, asset } = service.network;
  return (
    <Section heading={words.payTitle}>
      <p>
        {words.payLead}{" "}
        {newest !== undefined && (
          <>
            {words.forPress}{" "}
            <Link to="/press/$slug" params={{ slug: newest.slug }} className="link">
              {newest.headline}
            </Link>
            .
          </>
        )}
      </p>
      <ol className="list-decimal space-y-6 pl-6 marker:font-semibold marker:text-accent">
        <li className="space-y-3">
          <p>{words.walletStep(asset.symbol, name)}</p>
          <Code label={words.install} text={install} />
        </li>
        <li className="space-y-3">
          <p>{words.approveStep}</p>
          <Code label="approve.mjs" text={approveProgram(service, window.location.origin)} />
        </li>
        <li className="space-y-3">
          <p>{words.payStep}</p>
          <Code label="pay.mjs" text={payProgram(newest ?? placeholder, service)} />
        </li>
      </ol>
    </Section>
  );
}
