import { useQuery } from "@tanstack/react-query";
import { ownPress } from "../../api/publish.ts";
import { isLocal } from "../../site.ts";
import { common } from "../../strings/common.ts";
import { press as reader } from "../../strings/press.ts";
import { live as words } from "../../strings/publish-live.ts";
import { Card } from "../../ui/card.tsx";
import { Hex } from "../../ui/hex.tsx";
import { Pair, Pairs } from "../../ui/pairs.tsx";
import type { LivePress } from "./page.tsx";

/** Milliseconds between two looks whether the audit's verdict stands on the chain, and how long they go on after the press went live. */
const lookEvery = 2_000;
const patience = 5 * 60_000;

/** Where a live press stands on the chain. The audit's verdict is posted a moment after it went live. */
export function Onchain({ press }: { readonly press: LivePress }) {
  const { id, pressId, mintTx, publishedAt } = press;
  const { data } = useQuery({
    ...ownPress(id),
    refetchInterval: ({ state }) =>
      state.data?.press.auditTx === null && Date.now() - Date.parse(publishedAt) < patience
        ? lookEvery
        : false,
  });
  const auditTx = data?.press.auditTx ?? press.auditTx;
  return (
    <Card heading={reader.onchain}>
      <Pairs>
        <Pair term={words.identity}>{reader.number(pressId)}</Pair>
        <Pair term={reader.minted}>
          <Hex kind="transaction" value={mintTx} />
        </Pair>
        <Pair term={words.verdictPending}>
          {auditTx === null ? (
            <span role="status" className="text-quiet">
              {words.verdictWaiting}
            </span>
          ) : (
            <Hex kind="transaction" value={auditTx} />
          )}
        </Pair>
        <Pair term={words.registration}>
          <a className="link" href={`/api/meta/${id}`}>
            /api/meta/{id}
          </a>
        </Pair>
        <Pair term={words.report}>
          <a className="link" href={`/api/audit-report/${id}`}>
            /api/audit-report/{id}
          </a>
        </Pair>
      </Pairs>
      {isLocal(window.location.hostname) && <p className="mt-4 text-xs text-quiet">{common.localChain}</p>}
    </Card>
  );
}
