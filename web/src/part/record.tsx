import type { Press } from "../../../core/press/schema.ts";
import { isLocal } from "../site.ts";
import { ExplorerLink } from "./explorer-link.tsx";
import { Pair } from "./pair.tsx";

/** Where a press stands on the chain. */
export function ChainRecord({ press }: { readonly press: Press }) {
  return (
    <section className="card" aria-labelledby="record">
      <h2 id="record">Onchain</h2>
      <dl className="pairs">
        <Pair term="Identity">
          <a href={`/api/meta/${press.id}`}>No. {press.pressId}</a>
        </Pair>
        <Pair term="Publisher">
          <ExplorerLink kind="address" value={press.publisher} />
        </Pair>
        <Pair term="Minted">
          <ExplorerLink kind="transaction" value={press.mintTx} />
        </Pair>
        {press.auditTx !== null && (
          <Pair term="Verdict posted">
            <ExplorerLink kind="transaction" value={press.auditTx} />
          </Pair>
        )}
      </dl>
      {isLocal(window.location.hostname) && (
        <p className="quiet">This site runs on a local chain, which the public explorer does not know.</p>
      )}
    </section>
  );
}
