import type { PressDetail } from "../../../core/press/schema.ts";
import { formatChange, formatDollars } from "../format.ts";
import { Pair } from "./pair.tsx";

/** The stock token's price then and now, and whether the publisher had a stake in it. */
export function Market({ press }: { readonly press: PressDetail["press"] }) {
  const change = formatChange(press.priceAtPublish, press.priceNow);
  return (
    <section className="card" aria-labelledby="market">
      <h2 id="market">{press.stock} since then</h2>
      <dl className="pairs">
        <Pair term="At publication">{formatDollars(press.priceAtPublish)}</Pair>
        <Pair term="Now">
          {formatDollars(press.priceNow)}
          {change !== undefined && <span className="change"> ({change})</span>}
        </Pair>
      </dl>
      <p className={press.publisherHolds ? "disclosure disclosure-holds" : "disclosure"}>
        {press.publisherHolds
          ? `Disclosure: the publisher held ${press.stock} when this press was audited.`
          : `The publisher held no ${press.stock} when this press was audited.`}
      </p>
    </section>
  );
}
