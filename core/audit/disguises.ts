import { encodedProse } from "./encoded.ts";

/** A text as a program may read it that knows a trick: `trick` says which, for the finding. */
export type Undisguised = { readonly trick: string; readonly text: string };

/**
 * What a text says to a reader who undoes the usual ways to hide words from people: invisible letters, codes and
 * escapes. Each reading stands alone, because what is harmless in one order may be an order in another.
 */
export function undisguised(text: string): readonly Undisguised[] {
  const undone = unescaped(text);
  return [
    { trick: "invisible letters", text: tagged(text) },
    { trick: "marks of direction", text: turned(text) },
    { trick: "escaped letters", text: undone === text ? "" : undone },
    ...encodedProse(undone).map((prose) => ({ trick: "encoded text", text: prose })),
  ].filter((reading) => reading.text !== "");
}

/** Unicode's tag characters mirror ASCII, and the supplementary selectors of variants number bytes. */
function tagged(text: string): string {
  const tags = text.match(/[\u{E0020}-\u{E007E}]/gu) ?? [];
  const bytes = text.match(/[\u{FE00}-\u{FE0F}\u{E0100}-\u{E01EF}]/gu) ?? [];
  return [
    String.fromCodePoint(...tags.slice(0, 5000).map((tag) => pointOf(tag) - 0xe0000)),
    new TextDecoder().decode(Uint8Array.from(bytes, (selector) => byteOf(pointOf(selector)))),
  ]
    .filter((found) => found.length > 3)
    .join("\n");
}

function byteOf(point: number): number {
  return point < 0xe0100 ? point - 0xfe00 : point - 0xe0100 + 16;
}

function pointOf(character: string): number {
  return character.codePointAt(0) ?? 0;
}

/** What stands after a mark that shows it from right to left. */
function turned(text: string): string {
  return [...text.matchAll(/\u202e([^\u202a-\u202e\n]{4,2000})/g)]
    .slice(0, 50)
    .map(([, shown = ""]) => [...shown].reverse().join(""))
    .join("\n");
}

/** HTML's character references, the escapes of JavaScript and of addresses. */
function unescaped(text: string): string {
  return text
    .replace(/&#x([0-9a-f]{1,5});/gi, (_, digits: string) =>
      String.fromCodePoint(Number.parseInt(digits, 16)),
    )
    .replace(/&#(\d{1,6});/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replace(/\\u([0-9a-f]{4})|\\x([0-9a-f]{2})/gi, (_, long?: string, short = "") =>
      String.fromCharCode(Number.parseInt(long ?? short, 16)),
    )
    .replace(/%([2-7][0-9a-f])/gi, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
    .replace(/&lt;/gi, "<")
    .replace(/&gt;/gi, ">")
    .replace(/&quot;/gi, '"');
}
