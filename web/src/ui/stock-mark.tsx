import { classes } from "./button.tsx";

declare module "react" {
  interface CSSProperties {
    "--hue"?: number;
  }
}

const sizes = { small: "size-7 text-[0.625rem]", medium: "size-10 text-xs" } as const;

type StockMarkProps = { readonly symbol: string; readonly size?: keyof typeof sizes };

/**
 * A stock's first letters on a colour that is always its own. Companies' logos are not shown: nothing says that they may be
 * (docs/decisions.md). Its symbol stands beside it, so that it is not heard.
 */
export function StockMark({ symbol, size = "medium" }: StockMarkProps) {
  return (
    <span
      aria-hidden="true"
      style={{ "--hue": hueOf(symbol) }}
      className={classes(
        "stock-mark grid shrink-0 place-items-center rounded-full font-sans font-bold tracking-wide select-none",
        sizes[size],
      )}
    >
      {symbol.slice(0, 2)}
    </span>
  );
}

/** Degrees of the colour circle, the same for a symbol wherever it stands. */
export function hueOf(symbol: string): number {
  // FNV-1a: symbols that differ in one letter lie far apart.
  let hash = 0x811c9dc5;
  for (const character of symbol) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0) % 360;
}
