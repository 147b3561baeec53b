import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { escapeUTF8 as escaped } from "entities/escape";
import { writtenPages } from "../core/page/schema.ts";
import { contact, operator, type Passage, privacy, terms } from "./src/strings/legal.ts";

type Page = { readonly title: string; readonly lead: string; readonly passages: readonly Passage[] };
type Named = { readonly contact: string | undefined; readonly operator: string | undefined };

/** Writes pages that are readable without scripts next to the built index.html. The app takes them over. */
export async function writePages(directory: string, named: Named): Promise<void> {
  const pages: Readonly<Record<(typeof writtenPages)[number], Page>> = { terms, privacy, contact };
  const template = await readFile(join(directory, "index.html"), "utf8");
  for (const name of writtenPages) {
    const { title, lead, passages } = pages[name];
    const who = named.operator === undefined ? operator.none : operator.named(named.operator);
    const write = named.contact === undefined ? contact.none : `${contact.write} ${named.contact}.`;
    const body = [
      '<main class="listing">',
      `<h1>${escaped(title)}</h1>`,
      `<p>${escaped(lead)}</p>`,
      ...(name === "contact" ? [`<p>${escaped(write)}</p>`] : []),
      ...[{ heading: operator.heading, sentences: [who] }, ...passages].flatMap(({ heading, sentences }) => [
        `<h2>${escaped(heading)}</h2>`,
        ...sentences.map((sentence) => `<p>${escaped(sentence)}</p>`),
      ]),
      "</main>",
    ].join("\n");
    const html = template
      .replace(/<title>[^<]*<\/title>/, () => `<title>${escaped(title)} · Press Market</title>`)
      .replace(/(<meta name="description" content=")[^"]*/, (_, start: string) => start + escaped(lead))
      .replace(/(<div id="root">)(<\/div>)/, (_, start: string, end: string) => start + body + end)
      .replace(/\s*<noscript>.*?<\/noscript>/s, "");
    await writeFile(join(directory, `${name}.html`), html);
  }
}
