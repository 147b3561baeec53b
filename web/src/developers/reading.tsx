import { developers as words } from "../strings/developers.ts";
import { Code } from "../ui/code.tsx";
import { useNewest } from "./newest.ts";
import { curlExamples } from "./sample.ts";
import { Section } from "./section.tsx";

/** Stands in examples as long as there is no press to take. */
const placeholder = { slug: "SLUG", pressId: 0, stock: "AAPL" } as const;

/** What anybody may ask for, from a terminal. */
export function Reading() {
  const newest = useNewest();
  const examples = curlExamples(window.location.origin, newest ?? placeholder);
  return (
    <Section heading={words.read}>
      <Code label={words.list} text={examples.list} />
      <Code label={words.one} text={examples.detail} />
      <Code label={words.terms} text={examples.terms} />
      {newest === undefined && <p className="text-quiet">{words.placeholder}</p>}
    </Section>
  );
}
