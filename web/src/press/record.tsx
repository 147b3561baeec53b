import type { Press } from "../../../core/press/schema.ts";
import { isLocal } from "../site.ts";
import { common } from "../strings/common.ts";
import { press as words } from "../strings/press.ts";
import { Card } from "../ui/card.tsx";
import { Hex } from "../ui/hex.tsx";
import { Pair, Pairs } from "../ui/pairs.tsx";

/** Where a press stands on the chain. */
export function ChainRecord({ press }: { readonly press: Press }) {
  return (
    <Card heading={words.onchain}>
      <Pairs>
        <Pair term={words.identity}>
          <a className="link" href={`/api/meta/${press.id}`}>
            {words.number(press.pressId)}
          </a>
        </Pair>
        <Pair term={words.publisher}>
          <Hex kind="address" value={press.publisher} />
        </Pair>
        <Pair term={words.minted}>
          <Hex kind="transaction" value={press.mintTx} />
        </Pair>
        {press.auditTx !== null && (
          <Pair term={words.verdictPosted}>
            <Hex kind="transaction" value={press.auditTx} />
          </Pair>
        )}
      </Pairs>
      {isLocal(window.location.hostname) && <p className="mt-4 text-xs text-quiet">{common.localChain}</p>}
    </Card>
  );
}
