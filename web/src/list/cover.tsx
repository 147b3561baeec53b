import { useQuery } from "@tanstack/react-query";
import { coverTones, makeCover } from "../../../core/page/schema.ts";
import type { Press } from "../../../core/press/schema.ts";
import { marketWeek, queryStockPrices } from "../api/press.ts";
import { joinClasses } from "../ui/button.tsx";
import { Drawing, DrawnLine } from "../ui/icon.tsx";

type CoverProps = {
  /** A few of the stock's prices from the last year. Without prices, the cover shows only the author's mark and colour. */
  readonly year: readonly number[] | undefined;
  readonly author: string;
  readonly className: string;
};

/**
 * The cover of a press: the line of its stock's prices in the last year, with the author's mark and colour. The caller sets the cover's
 * size.
 */
export function Cover({ year = [], author, className }: CoverProps) {
  const { line, mark, hue } = makeCover(year, author);
  const path = line.map(([x, y]) => `${(x * 1000).toFixed(1)} ${(y * 1000).toFixed(1)}`).join("L");
  return (
    <div
      className={joinClasses("relative overflow-hidden", className)}
      style={{ background: formatTone(hue, "ground"), color: formatTone(hue, "line") }}
    >
      {path !== "" && (
        <Drawing className="absolute inset-y-0 left-0 h-full w-[calc(100%-4.5rem)]">
          <DrawnLine d={`M${path}`} stroke="currentColor" strokeWidth="2" />
        </Drawing>
      )}
      <Mark cells={mark} className="absolute right-5 bottom-3 size-8" />
    </div>
  );
}

function Mark({ cells, className }: { readonly cells: Mark; readonly className: string }) {
  return (
    <svg viewBox="0 0 5 5" className={className} fill="currentColor" aria-hidden="true">
      <path d={cells.map(([x, y]) => `M${x} ${y}h1v1h-1z`).join("")} />
    </svg>
  );
}
type Mark = ReturnType<typeof makeCover>["mark"];

/**
 * An author's picture, which is made from the wallet's address. The picture has the same mark and colour as the covers of the author's
 * presses.
 */
export function AuthorPicture({ author }: { readonly author: string }) {
  const { mark, hue } = makeCover([], author);
  return (
    <span
      className="grid size-20 shrink-0 place-items-center rounded-2xl"
      style={{ background: formatTone(hue, "ground"), color: formatTone(hue, "line") }}
    >
      <Mark cells={mark} className="size-12" />
    </span>
  );
}

/**
 * The cover of a press in a list. Pages with many stocks load the price lines of all stocks at once, and a stock's page loads only the
 * price line of its stock.
 */
export function ListedCover({
  press,
  className,
}: {
  readonly press: Pick<Press, "stock" | "publisher">;
  readonly className: string;
}) {
  const { data: market } = useQuery({ ...marketWeek, enabled: false });
  const { data: prices } = useQuery({ ...queryStockPrices(press.stock), enabled: false });
  const year = market?.find(({ symbol }) => symbol === press.stock)?.outline ?? prices?.outline;
  return <Cover year={year} author={press.publisher} className={className} />;
}

function formatTone(hue: number, part: keyof typeof coverTones): string {
  const { light, dark } = coverTones[part];
  const formatColor = ([saturation, lightness]: readonly [number, number]) =>
    `hsl(${hue} ${saturation}% ${lightness}%)`;
  return `light-dark(${formatColor(light)}, ${formatColor(dark)})`;
}
