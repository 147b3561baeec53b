import type { Press } from "../../../core/press/schema.ts";
import { count, formatDay } from "../format.ts";
import { pressPath } from "../route.ts";
import { formatUsdg } from "../usdg.ts";
import { Labels } from "./labels.tsx";
import { Link } from "./link.tsx";
import { Score } from "./score.tsx";

/** A press in a list. */
export function PressRow({ press }: { readonly press: Press }) {
  return (
    <li className="row row-press">
      <article>
        <p className="kicker">
          <span className="stock">{press.stock}</span>
          <time dateTime={press.publishedAt}>{formatDay(press.publishedAt)}</time>
          <span>{press.readMinutes} min read</span>
          <Labels press={press} />
        </p>
        <h2>
          <Link to={pressPath(press.slug)}>{press.headline}</Link>
        </h2>
        <p className="preview">{press.preview}</p>
        <p className="byline">By {press.publisherName}</p>
      </article>
      <dl className="figures">
        <div>
          <dt>Price</dt>
          <dd>
            <strong>{formatUsdg(press.priceUnits)}</strong> USDG
          </dd>
        </div>
        <div>
          <dt>Audit</dt>
          <dd>
            <Score score={press.auditScore} />
          </dd>
        </div>
        <div>
          <dt>Readers</dt>
          <dd className="stacked">
            <span>{count(press.reads, "read", "reads")}</span>
            <span>
              {press.votes.up} up, {press.votes.down} down
            </span>
          </dd>
        </div>
      </dl>
    </li>
  );
}
