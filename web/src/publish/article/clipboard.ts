/** An element of a clipboard's HTML, with the few attributes that mean something to an article. */
export type Tag = {
  readonly name: string;
  readonly attrs: Readonly<Partial<Record<string, string>>>;
  readonly children: readonly (Tag | string)[];
};

/** What is asked of an element. */
const kept = ["href", "start", "class", "style"] as const;

/** Elements whose text nobody sees, and those that draw. */
const unseen: ReadonlySet<string> = new Set(
  "script style title meta link template noscript textarea select option iframe object xml".split(" "),
);

/**
 * Reads HTML from a clipboard by the browser's own parser. Attributes are renamed before it, because the
 * content security policy reports each style of an element, even in a document that nobody sees.
 */
export function readTags(html: string): Tag {
  const page = new DOMParser().parseFromString(withoutStyles(html), "text/html");
  return tagOf(page.body);
}

function tagOf(element: Element): Tag {
  const attrs: Partial<Record<string, string>> = {};
  for (const name of kept) {
    const value = element.getAttribute(name === "style" ? "data-style" : name);
    if (value !== null) attrs[name] = value;
  }
  const children = [...element.childNodes].flatMap((child): readonly (Tag | string)[] => {
    if (child instanceof Text) return [child.data];
    return child instanceof Element && !unseen.has(child.localName) ? [tagOf(child)] : [];
  });
  return { name: element.localName, attrs, children };
}

/** Clipboards hold a page's whole HTML at most. */
const longest = 2_000_000;

/** HTML whose tags keep only what is read of them, and without style sheets, scripts and comments. */
export function withoutStyles(html: string): string {
  const text = html.slice(0, longest);
  let out = "";
  let at = 0;
  for (let open = text.indexOf("<"); open >= 0; open = text.indexOf("<", at)) {
    out += text.slice(at, open);
    if (text.startsWith("<!--", open)) {
      at = endOf(text, "-->", open + 4);
      continue;
    }
    const name = /^<\/?([a-z][^\s/>]*)/i.exec(text.slice(open, open + 80))?.[1]?.toLowerCase();
    const isNoTag = name === undefined && !/[!?/]/.test(text.charAt(open + 1));
    const end = isNoTag ? open + 1 : endOfTag(text, open + 1);
    if (isNoTag) out += "&lt;";
    // The policy reports a style element even if it is empty.
    else if (name !== undefined && !unseen.has(name)) out += tagText(text.slice(open, end), name);
    at = end;
    if ((name === "style" || name === "script" || name === "xml") && text.charAt(open + 1) !== "/")
      at = endOf(text, `</${name}`, end, true);
  }
  return out + text.slice(at);
}

function endOf(text: string, mark: string, from: number, isBefore = false): number {
  const found = text.slice(from).search(new RegExp(mark, "i"));
  if (found < 0) return text.length;
  return from + found + (isBefore ? 0 : mark.length);
}

/** The index behind a tag's end, outside of its quoted values. */
function endOfTag(text: string, from: number): number {
  let quote = "";
  for (let at = from; at < text.length; at += 1) {
    const character = text.charAt(at);
    if (quote !== "") quote = character === quote ? "" : quote;
    else if (character === ">") return at + 1;
    else if ((character === '"' || character === "'") && text.charAt(at - 1) === "=") quote = character;
  }
  return text.length;
}

const attribute = /\s(href|start|class|style)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))/gi;

function tagText(tag: string, name: string): string {
  if (tag.startsWith("</")) return `</${name}>`;
  const attrs = [...tag.matchAll(attribute)].map(([, key = "", double, single, bare]) => {
    const value = (double ?? single ?? bare ?? "").replace(/"/g, "&quot;");
    return ` ${key.toLowerCase() === "style" ? "data-style" : key}="${value}"`;
  });
  return `<${name}${[...new Set(attrs)].join("")}>`;
}
