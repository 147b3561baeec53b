import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { discovery } from "../../api/discovery.ts";
import { shortHex } from "../../format.ts";
import { mint as words } from "../../strings/publish-mint.ts";
import { Button } from "../../ui/button.tsx";
import { Hex } from "../../ui/hex.tsx";
import { TextSkeleton } from "../../ui/skeleton.tsx";
import { Step, Stepper, type StepState } from "../../ui/stepper.tsx";
import type { MintPhase } from "./machine.ts";
import type { Mint } from "./runner.ts";
import { type StepName, stateOf, stepNames } from "./step-of.ts";

const ConnectPanel = lazy(() => import("./connect.tsx"));

type StepsProps = {
  readonly phase: MintPhase;
  readonly wallet: string;
  readonly metaUrl: string;
  readonly tell: Mint["tell"];
};

/** How often the service may have said "not yet" before somebody is told to look in the wallet. */
const patience = 10;

/** What has to be done, what is being done, and what that means. */
export function MintSteps({ phase, wallet, metaUrl, tell }: StepsProps) {
  return (
    <Stepper label={words.steps}>
      {stepNames.map((name) => {
        const state: StepState = stateOf(name, phase);
        const shown = state !== "waiting" && state !== "done";
        return (
          <Step key={name} state={state} stateName={words.states[state]} title={words.names[name]}>
            {(shown || phase.name === "idle") && <Explained name={name} wallet={wallet} metaUrl={metaUrl} />}
            {shown && <Under name={name} phase={phase} tell={tell} />}
          </Step>
        );
      })}
    </Stepper>
  );
}

type ExplainedProps = { readonly name: StepName } & Pick<StepsProps, "wallet" | "metaUrl">;

function Explained({ name, wallet, metaUrl }: ExplainedProps) {
  const chain = useQuery(discovery).data?.network.name;
  if (name === "wallet") return <p>{words.explain.wallet(shortHex(wallet))}</p>;
  if (name === "network") return <p>{words.explain.network(chain ?? "…")}</p>;
  if (name !== "register") return <p>{words.explain[name]}</p>;
  return (
    <p>
      {words.explain.register} <code>{metaUrl}</code>
    </p>
  );
}

type UnderProps = { readonly name: StepName } & Pick<StepsProps, "phase" | "tell">;

/** What is going on within the step that is on. */
function Under({ name, phase, tell }: UnderProps) {
  if (name === "wallet" && phase.name === "connect") {
    return (
      <div className="mt-3 grid gap-3">
        {phase.other !== undefined && (
          <p role="alert" className="text-warn">
            {words.otherWallet(shortHex(phase.other))}
          </p>
        )}
        <Suspense fallback={<TextSkeleton lines={2} />}>
          <ConnectPanel onConnected={() => tell({ type: "connected" })} />
        </Suspense>
      </div>
    );
  }
  if (phase.name === "network" || phase.name === "register") {
    return (
      <p role="status" className="mt-1 font-medium text-ink">
        {words.asking}
      </p>
    );
  }
  if (phase.name !== "confirm" && phase.name !== "pause") return null;
  return (
    <div className="mt-1 grid justify-items-start gap-2">
      <p role="status" className="font-medium text-ink">
        {words.confirming}
      </p>
      <p>
        {words.transaction} <Hex kind="transaction" value={phase.tx} />
      </p>
      {phase.asked >= patience && (
        <>
          <p>{words.slow}</p>
          <Button size="small" onClick={() => tell({ type: "another" })}>
            {words.again}
          </Button>
        </>
      )}
    </div>
  );
}
