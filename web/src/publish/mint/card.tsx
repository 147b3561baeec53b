import { useNavigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { DashboardPress } from "../../../../core/press/schema.ts";
import { formatAmount } from "../../format.ts";
import { common } from "../../strings/common.ts";
import { mint as words } from "../../strings/publish-mint.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { Known } from "./known.tsx";
import { mintOf, useMint } from "./mints.ts";
import { MintSteps } from "./steps.tsx";
import { MintTrouble } from "./trouble.tsx";

type MintCardProps = {
  readonly press: DashboardPress;
  readonly wallet: string;
  readonly metaUrl: string;
};

/** A mint, step by step. Where a transaction was sent before, it goes on with that by itself. */
export function MintCard({ press, wallet, metaUrl }: MintCardProps) {
  const { id, headline, stock, priceUsdg } = press;
  const [mint] = useState(() => mintOf({ id, wallet, metaUrl }));
  const phase = useMint(mint);
  const navigate = useNavigate();
  const live = phase.name === "live";
  useEffect(() => {
    if (live) void navigate({ to: "/publish/$id", params: { id: String(id) }, replace: true });
  }, [live, id, navigate]);
  return (
    <div className="grid max-w-2xl gap-6">
      <section className="grid gap-6 rounded-3xl border border-line bg-card p-5 shadow-card sm:p-8">
        <div className="grid gap-2 border-b border-line pb-5">
          <p className="flex flex-wrap items-center gap-3 text-sm text-quiet">
            <Badge tone="accent">{stock}</Badge>
            <span className="figure">
              {formatAmount(priceUsdg)} {common.unit}
            </span>
          </p>
          <h2 className="font-serif text-title font-bold">{headline}</h2>
        </div>
        <MintSteps phase={phase} wallet={wallet} metaUrl={metaUrl} tell={mint.tell} />
        {phase.name === "stopped" && <MintTrouble phase={phase} id={id} tell={mint.tell} />}
        {!mint.isKept() && "tx" in phase && (
          <p role="alert" className="text-sm text-warn">
            {words.notKept}
          </p>
        )}
        {phase.name === "idle" && (
          <Button look="primary" size="large" onClick={() => mint.tell({ type: "start" })}>
            {words.start}
          </Button>
        )}
      </section>
      {(phase.name === "idle" || phase.name === "stopped") && <Known tell={mint.tell} />}
    </div>
  );
}
