import type { Discovery, Endpoint } from "../api/discovery.ts";
import { Pair } from "./pair.tsx";

/** The service's endpoints as its discovery document lists them. */
export function Endpoints({ endpoints }: Pick<Discovery, "endpoints">) {
  return (
    <section aria-labelledby="endpoints">
      <h2 id="endpoints">Endpoints</h2>
      <ul className="endpoints">
        {Object.entries(endpoints).map(([name, endpoint]) => (
          <li key={name}>
            <h3>
              {name} {endpoint.paid && <span className="label">Paid</span>}
            </h3>
            <p>
              <code>
                {endpoint.method} {endpoint.url}
              </code>
            </p>
            <Notes endpoint={endpoint} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Notes({ endpoint }: { readonly endpoint: Endpoint }) {
  const fields = [
    ...Object.entries(endpoint.query ?? {}).map(([field, note]) => ({ place: "Query", field, note })),
    ...Object.entries(endpoint.body ?? {}).map(([field, note]) => ({ place: "Body", field, note })),
  ];
  return (
    <dl className="pairs">
      {fields.map(({ place, field, note }) => (
        <Pair
          key={`${place} ${field}`}
          term={
            <>
              {place} <code>{field}</code>
            </>
          }
        >
          {note}
        </Pair>
      ))}
      {endpoint.share !== undefined && <Pair term="Share">{endpoint.share}</Pair>}
      {endpoint.returns !== undefined && <Pair term="Returns">{endpoint.returns}</Pair>}
    </dl>
  );
}
