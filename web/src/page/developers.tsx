import { type Discovery, discovery, discoveryPath } from "../api/discovery.ts";
import { pressList } from "../api/press.ts";
import { useSource } from "../api/source.ts";
import { Code } from "../part/code.tsx";
import { Endpoints } from "../part/endpoints.tsx";
import { ExplorerLink } from "../part/explorer-link.tsx";
import { Link } from "../part/link.tsx";
import { Failure } from "../part/notice.tsx";
import { Pair } from "../part/pair.tsx";
import { TextSkeleton } from "../part/skeleton.tsx";
import { useTitle } from "../part/title.ts";
import { pressPath } from "../route.ts";
import { curlExamples } from "../sample.ts";

/** Stands in examples as long as there is no press to take. */
const placeholder = { slug: "SLUG", pressId: 0, stock: "AAPL" } as const;

/** How programs find, read and pay for presses. What it says of the service comes from its discovery document. */
export function Developers() {
  useTitle("Developers");
  const service = useSource(discovery, "");
  return (
    <div className="frame page developers">
      <header className="intro">
        <h1>For developers and agents</h1>
        <p className="lede">
          Reading needs no key and no account. Paying needs a wallet and the x402 protocol. Everything below
          is in the <a href={discoveryPath}>discovery document</a>, which this page reads live.
        </p>
      </header>
      {service.state === "loading" && <TextSkeleton />}
      {service.state === "failed" && (
        <Failure
          heading="The discovery document could not be loaded"
          problem={service.problem}
          retry={service.retry}
        />
      )}
      {service.state === "ready" && <Summary service={service.value} />}
      <Examples />
      {service.state === "ready" && <Conduct service={service.value} />}
    </div>
  );
}

function Summary({ service }: { readonly service: Discovery }) {
  const { network, x402 } = service;
  return (
    <>
      <section aria-labelledby="service">
        <h2 id="service">{service.name}</h2>
        <p>{service.description}</p>
        <dl className="pairs">
          <Pair term="Network">
            {network.name} (<code>{network.caip2}</code>)
          </Pair>
          <Pair term="Token">
            {network.asset.symbol}, {network.asset.decimals} decimals,{" "}
            <ExplorerLink kind="address" value={network.asset.address} />
          </Pair>
          <Pair term="Payment">
            x402 version {x402.version}, scheme <code>{x402.scheme}</code>, transfer method{" "}
            <code>{x402.assetTransferMethod}</code>
          </Pair>
          <Pair term="Permit2">
            <ExplorerLink kind="address" value={x402.permit2} />
          </Pair>
          <Pair term="Request header">
            <code>{x402.header}</code>
          </Pair>
        </dl>
      </section>
      <Endpoints endpoints={service.endpoints} />
    </>
  );
}

function Examples() {
  const presses = useSource(pressList, "");
  const newest = presses.state === "ready" ? presses.value[0] : undefined;
  const examples = curlExamples(window.location.origin, newest ?? placeholder);
  return (
    <section aria-labelledby="try">
      <h2 id="try">Try it</h2>
      <Code label="List the live presses on a stock" text={examples.list} />
      <Code label="Read one: preview, audit, votes, prices" text={examples.detail} />
      <Code label="See the terms of a payment: status 402" text={examples.terms} />
      {newest === undefined ? (
        <p>Put a press’s slug and pressId from the list in place of SLUG and 0.</p>
      ) : (
        <p>
          To pay, take the program on the page of a press, such as{" "}
          <Link to={pressPath(newest.slug)}>{newest.headline}</Link>: it comes filled in for it.
        </p>
      )}
    </section>
  );
}

function Conduct({ service }: { readonly service: Discovery }) {
  return (
    <>
      <section aria-labelledby="flow">
        <h2 id="flow">From a wallet to the text</h2>
        <ol className="prose-list">
          {service.flow.map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
      </section>
      <section aria-labelledby="rules">
        <h2 id="rules">Rules</h2>
        <ul className="prose-list">
          {service.rules.map((rule) => (
            <li key={rule}>{rule}</li>
          ))}
        </ul>
      </section>
    </>
  );
}
