/** Markup of an answer: a text, a time, a list of elements of one name, or elements by their names. */
export type Markup =
  | string
  | number
  | boolean
  | Date
  | undefined
  | readonly Markup[]
  | { readonly [name: string]: Markup };

/** XML as AWS's query protocol writes it: each item of a list is a `member` (S3: the list's own name again). */
export function xml(name: string, value: Markup, item: "member" | "flat" = "member"): string {
  if (value === undefined) return "";
  if (Array.isArray(value)) {
    const items = value.map((one) => xml(item === "flat" ? name : item, one, item)).join("");
    return item === "flat" ? items : `<${name}>${items}</${name}>`;
  }
  if (value instanceof Date) return xml(name, value.toISOString());
  if (typeof value !== "object") return `<${name}>${escaped(String(value))}</${name}>`;
  const inner = Object.entries(value).map(([key, one]) => xml(key, one, item));
  return `<${name}>${inner.join("")}</${name}>`;
}

function escaped(text: string): string {
  return text.replace(/[<>&]/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** The parameters of a query, with `Tags.member.1.Key` as what it means: lists and objects. */
export function readQuery(body: string): unknown {
  const root: Record<string, unknown> = {};
  for (const [path, value] of new URLSearchParams(body)) {
    const names = path.split(".").filter((name) => name !== "member");
    let at = root;
    for (const [index, name] of names.entries()) {
      if (index === names.length - 1) at[name] = value;
      else {
        const next = at[name] ?? {};
        at[name] = next;
        at = Object(next);
      }
    }
  }
  return listed(root);
}

/** Objects whose keys are 1, 2, 3 are lists. */
function listed(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value);
  if (entries.length > 0 && entries.every(([key]) => /^\d+$/.test(key))) {
    return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => listed(inner));
  }
  return Object.fromEntries(entries.map(([key, inner]) => [key, listed(inner)]));
}
