import type { ComponentProps } from "react";
import { joinClasses } from "./button.tsx";

const paths = {
  arrow: "M3 8h10M9 4l4 4-4 4",
  back: "M13 8H3m4-4L3 8l4 4",
  check: "m3.5 8.5 3 3 6-7",
  chevron: "m4 6 4 4 4-4",
  close: "m4 4 8 8m0-8-8 8",
  copy: "M6 6h7v7H6zM10 6V3H3v7h3",
  down: "M8 3v10m-4-4 4 4 4-4",
  external: "M7 3H3v10h10V9M9.5 3H13v3.5M13 3 7.5 8.5",
  lock: "M4 7.5h8V13H4zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5Z",
  plus: "M8 3v10M3 8h10",
  search: "m13 13-3-3m1-3.5a4.5 4.5 0 1 1-9 0 4.5 4.5 0 0 1 9 0Z",
  sun: "M8 1.5v1.2m0 10.6v1.2M1.5 8h1.2m10.6 0h1.2M3.4 3.4l.85.85m7.5 7.5.85.85m0-9.2-.85.85m-7.5 7.5-.85.85M11 8a3 3 0 1 1-6 0 3 3 0 0 1 6 0Z",
  system: "M2.5 3h11v7.5h-11zM6 13.5h4",
  up: "M8 13V3m-4 4 4-4 4 4",
  wallet: "M2.5 5v7.5h11V5zm0 0L11 2.5V5m-.5 3.75h.01",
  warning: "M8 2.5 14 13H2zM8 6.5v3m0 1.6v.1",
} as const;

export type IconName = keyof typeof paths;

type IconProps = { readonly name: IconName; readonly className?: string | undefined };

/** A small picture. The words beside the picture have the same meaning as the picture. */
export function Icon({ name, className }: IconProps) {
  return <Picture path={paths[name]} className={className} />;
}

/** A picture in the style of the icons, given by its SVG path in a square of 16 by 16 units. */
export function Picture({ path, className }: Pick<IconProps, "className"> & { readonly path: string }) {
  return (
    <svg
      viewBox="0 0 16 16"
      className={joinClasses("size-4 shrink-0", className)}
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
    >
      <path d={path} />
    </svg>
  );
}

/** A drawing in a square of 1000 by 1000 units, which is stretched to the size that the drawing's CSS classes set. */
export function Drawing(props: ComponentProps<"svg">) {
  return <svg viewBox="0 0 1000 1000" preserveAspectRatio="none" fill="none" aria-hidden="true" {...props} />;
}

/** A line in a `Drawing`. The line's width does not change when the drawing is stretched. */
export function DrawnLine(props: ComponentProps<"path">) {
  return <path strokeLinejoin="round" vectorEffect="non-scaling-stroke" {...props} />;
}

declare module "react" {
  interface CSSProperties {
    "--hue"?: number;
  }
}

const sizes = { small: "size-7 text-[0.625rem]", medium: "size-10 text-xs" } as const;

type StockMarkProps = { readonly symbol: string; readonly size?: keyof typeof sizes };

/**
 * The first letters of a stock's symbol, on a colour that only depends on the symbol. Companies' logos are not shown, because we have no
 * licence to show them (docs/decisions.md). The mark is hidden from screen readers, because the stock's symbol is beside it.
 */
export function StockMark({ symbol, size = "medium" }: StockMarkProps) {
  return (
    <span
      aria-hidden="true"
      style={{ "--hue": computeHue(symbol) }}
      className={joinClasses(
        "stock-mark grid shrink-0 place-items-center rounded-full font-sans font-bold tracking-wide select-none",
        sizes[size],
      )}
    >
      {symbol.slice(0, 2)}
    </span>
  );
}

/** The colour of a symbol in degrees on the colour wheel, always the same for the same symbol. */
export function computeHue(symbol: string): number {
  // The code uses the hash FNV-1a, which gives very different values to symbols that differ in one letter.
  let hash = 0x811c9dc5;
  for (const character of symbol) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193);
  return (hash >>> 0) % 360;
}
