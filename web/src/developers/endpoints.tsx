import type { Discovery, Endpoint } from "../api/discovery.ts";
import { developers as words } from "../strings/developers.ts";
import { Badge } from "../ui/badge.tsx";
import { Section } from "./section.tsx";

/** The service's endpoints as its discovery document lists them. */
export function Endpoints({ endpoints }: Pick<Discovery, "endpoints">) {
  return (
    <Section heading={words.endpoints}>
      <ul className="grid gap-4">
        {Object.entries(endpoints).map(([name, endpoint]) => (
          <li key={name} className="grid gap-3 rounded-2xl border border-line bg-card p-5 shadow-card">
            <h3 className="flex items-center gap-3 text-base">
              {name} {endpoint.paid && <Badge tone="accent">{words.paid}</Badge>}
            </h3>
            <code>
              {endpoint.method} {endpoint.url}
            </code>
            <Notes endpoint={endpoint} />
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Notes({ endpoint }: { readonly endpoint: Endpoint }) {
  const notes = [
    ...Object.entries(endpoint.query ?? {}).map(
      ([field, note]) => [`${words.query} ${field}`, note] as const,
    ),
    ...Object.entries(endpoint.body ?? {}).map(([field, note]) => [`${words.body} ${field}`, note] as const),
    ...(endpoint.share === undefined ? [] : [[words.share, endpoint.share] as const]),
    ...(endpoint.returns === undefined ? [] : [[words.returns, endpoint.returns] as const]),
  ];
  return (
    <dl className="grid gap-x-6 gap-y-2 text-sm sm:grid-cols-[9rem_1fr]">
      {notes.map(([term, note]) => (
        <div key={term} className="contents">
          <dt className="text-quiet">{term}</dt>
          <dd className="max-sm:mb-2">{note}</dd>
        </div>
      ))}
    </dl>
  );
}
