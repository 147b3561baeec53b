import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate, useNavigate } from "@tanstack/react-router";
import { Suspense, useEffect, useState, useSyncExternalStore } from "react";
import type { DashboardPress } from "../../../../core/press/schema.ts";
import { discovery } from "../../api/discovery.ts";
import { type AuditedPress, priceNow } from "../../api/publish.ts";
import { HashForm } from "../../api/request.ts";
import { formatAmount, shortenHex } from "../../format.ts";
import { SignInCard } from "../../session/sign-in.tsx";
import { common } from "../../strings/common.ts";
import { problems, mint as words } from "../../strings/mint.ts";
import { purse } from "../../strings/wallet.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Field, Form, HexInput } from "../../ui/field.tsx";
import { ExplorerLink, Page, TextSkeleton } from "../../ui/page.tsx";
import { makeLazyPart } from "../../ui/part.tsx";
import { Badge, Notice, RequestId } from "../../ui/status.tsx";
import { Problem, Step, type StepState } from "../../ui/steps.tsx";
import { useConnection } from "../../wallet/state.ts";
import { OwnPressView, PublisherGate } from "../gate.tsx";
import {
  findSentMint,
  findStepState,
  type MintPhase,
  type MintProblem,
  type MintProcess,
  openMint,
  type StepName,
  stepNames,
} from "./machine.ts";

const route = getRouteApi("/publish/$id/mint");

/** The page on which a publisher mints an approved press. */
export function MintPage() {
  const { id } = route.useParams();
  return (
    <Page title={words.title} heading={words.heading} lead={words.lead}>
      <PublisherGate>
        {(wallet) => <OwnPressView id={id}>{(own) => <Ready own={own} wallet={wallet} />}</OwnPressView>}
      </PublisherGate>
    </Page>
  );
}

function Ready({ own, wallet }: { readonly own: AuditedPress; readonly wallet: string }) {
  const { press, metaUrl } = own;
  if (press.status === "live")
    return <Navigate to="/publish/$id" params={{ id: String(press.id) }} replace />;
  const sent = findSentMint(wallet, press.id) !== undefined;
  // If a mint's transaction was already sent, `MintCard` shows why the press does not go live.
  if (press.status === "approved" || sent) {
    return <MintCard press={press} wallet={wallet} metaUrl={metaUrl ?? makeMetaUrl(press.id)} />;
  }
  return (
    <Notice heading={words.notApprovedTitle} tone="warn">
      <p>{words.notApproved}</p>
      <ButtonLink look="primary" to="/publish/edit" search={{ id: String(press.id) }}>
        {words.toEditor}
      </ButtonLink>
    </Notice>
  );
}

/**
 * A placeholder for the address of the registration file, for a press that is not approved yet. Once the press is approved,
 * the service itself returns the address of the registration file.
 */
function makeMetaUrl(id: number): string {
  return `${window.location.origin}/api/meta/${id}`;
}

type MintCardProps = {
  readonly press: DashboardPress;
  readonly wallet: string;
  readonly metaUrl: string;
};

/** Shows a mint step by step. If a transaction was sent earlier, the mint continues with it automatically. */
function MintCard({ press, wallet, metaUrl }: MintCardProps) {
  const { id, headline, stock, priceUsdg } = press;
  const [mint] = useState(() => openMint({ id, wallet, metaUrl }));
  const phase = useSyncExternalStore(mint.watch, mint.phase);
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
        <MintSteps phase={phase} wallet={wallet} metaUrl={metaUrl} begin={mint.begin} />
        {phase.name === "stopped" && (
          <MintTrouble problem={phase.problem} id={id} retry={mint.retry} begin={mint.begin} />
        )}
        {!mint.isKept() && "tx" in phase && (
          <p role="alert" className="text-sm text-warn">
            {words.notKept}
          </p>
        )}
        {phase.name === "idle" && <Terms wallet={wallet} metaUrl={metaUrl} priceUsdg={priceUsdg} />}
        {phase.name === "idle" && (
          <Button look="primary" size="large" onClick={mint.begin}>
            {words.start}
          </Button>
        )}
      </section>
      {(phase.name === "idle" || phase.name === "stopped") && <HashField confirm={mint.confirm} />}
    </div>
  );
}

/** The consequences of a mint: the mint is final and costs gas. */
function Terms({
  wallet,
  metaUrl,
  priceUsdg,
}: Pick<StepsProps, "wallet" | "metaUrl"> & Pick<DashboardPress, "priceUsdg">) {
  const { data: price } = useQuery(priceNow);
  const isPurse = useConnection()?.isPurse === true;
  const { data: need } = useQuery({
    queryKey: ["mint-cost", wallet, metaUrl],
    queryFn: async () => (await import("../../wallet/ether.ts")).readMintCost(wallet, metaUrl),
    // The balance is read repeatedly, because the publisher may be sending ETH to the wallet.
    refetchInterval: 3_000,
  });
  return (
    <section aria-labelledby="terms" className="grid gap-2 rounded-2xl bg-sunk p-4 text-sm">
      <h3 id="terms" className="font-semibold">
        {words.termsTitle}
      </h3>
      <ul className="grid list-disc gap-1 pl-5">
        <li>{words.final}</li>
        <li>
          {words.noFee} {need !== undefined && words.gas(need.most, need.has)} {!isPurse && words.gasShown}
        </li>
        {price !== undefined && (
          <li className={priceUsdg < price.carryingUsdg ? "text-warn" : undefined}>
            {priceUsdg < price.carryingUsdg
              ? words.below(formatAmount(priceUsdg), formatAmount(price.carryingUsdg))
              : words.carries(formatAmount(price.carryingUsdg))}
          </li>
        )}
      </ul>
      {need?.missing !== undefined && (
        <div className="grid gap-3">
          <p role="status" className="text-warn">
            {words.lacksGas(need.missing, need.chain)}
          </p>
          <Suspense fallback={<TextSkeleton lines={3} />}>
            <WalletAddress address={need.address} />
          </Suspense>
        </div>
      )}
    </section>
  );
}

const WalletAddress = makeLazyPart(async () => (await import("../../purse/funding.tsx")).WalletAddress);
const ConnectPanel = makeLazyPart(async () => (await import("../../session/wallet-dialog.tsx")).ConnectPanel);

type StepsProps = {
  readonly phase: MintPhase;
  readonly wallet: string;
  readonly metaUrl: string;
  readonly begin: MintProcess["begin"];
};

/** The number of requests without a confirmation after which the page advises the publisher to check the wallet. */
const triesBeforeHint = 10;

/** The steps of a mint, with their state and an explanation. */
function MintSteps({ phase, wallet, metaUrl, begin }: StepsProps) {
  return (
    <ol aria-label={words.steps} className="grid">
      {stepNames.map((name) => {
        const state: StepState = findStepState(name, phase);
        const shown = state !== "waiting" && state !== "done";
        return (
          <Step key={name} state={state} stateName={common.stepStates[state]} title={words.names[name]}>
            {(shown || phase.name === "idle") && <StepText name={name} wallet={wallet} metaUrl={metaUrl} />}
            {shown && <Details name={name} phase={phase} begin={begin} />}
          </Step>
        );
      })}
    </ol>
  );
}

type StepTextProps = { readonly name: StepName } & Pick<StepsProps, "wallet" | "metaUrl">;

function StepText({ name, wallet, metaUrl }: StepTextProps) {
  const chain = useQuery(discovery).data?.network.name;
  if (name === "wallet") return <p>{words.explain.wallet(shortenHex(wallet))}</p>;
  if (name === "network") return <p>{words.explain.network(chain ?? "…")}</p>;
  if (name !== "register") return <p>{words.explain[name]}</p>;
  return (
    <p>
      {words.explain.register} <code>{metaUrl}</code>
    </p>
  );
}

/** The details that are shown below the current step. */
function Details({ name, phase, begin }: { readonly name: StepName } & Pick<StepsProps, "phase" | "begin">) {
  const isPurse = useConnection()?.isPurse === true;
  if (name === "wallet" && phase.name === "connect") {
    return (
      <div className="mt-3 grid gap-3">
        {phase.other !== undefined && (
          <p role="alert" className="text-warn">
            {words.otherWallet(shortenHex(phase.other))}
          </p>
        )}
        <Suspense fallback={<TextSkeleton lines={2} />}>
          <ConnectPanel onConnected={() => void begin()} />
        </Suspense>
      </div>
    );
  }
  if (phase.name === "network" || phase.name === "register") {
    return (
      <p role="status" className="mt-1 font-medium text-ink">
        {isPurse ? purse.asking : words.asking}
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
        {words.transaction} <ExplorerLink kind="transaction" value={phase.tx} />
      </p>
      {phase.asked >= triesBeforeHint && (
        <>
          <p>{words.slow}</p>
          <Button size="small" onClick={begin}>
            {words.again}
          </Button>
        </>
      )}
    </div>
  );
}

/** The field for the hash of a mint's transaction that was sent from another browser. */
function HashField({ confirm }: Pick<MintProcess, "confirm">) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const submit = () => {
    const tx = HashForm.safeParse(text.trim());
    setWrong(!tx.success);
    if (tx.success) void confirm(tx.data);
  };
  return (
    <details className="rounded-2xl border border-line px-5 py-3 text-sm">
      <summary className="min-h-8 py-1 font-medium">{words.haveOne}</summary>
      <Form className="grid gap-4 py-3" onSubmit={submit}>
        <p className="text-quiet">{words.haveOneLead}</p>
        <Field label={words.hash} error={wrong ? words.badHash : undefined}>
          <HexInput value={text} onValueChange={setText} />
        </Field>
        <Button type="submit" className="justify-self-start">
          {words.confirmIt}
        </Button>
      </Form>
    </details>
  );
}

type TroubleProps = Pick<MintProcess, "retry" | "begin"> & {
  readonly problem: MintProblem;
  readonly id: number;
};

/** Shows why a mint stopped, and the next step for the publisher. */
function MintTrouble({ problem, id, retry, begin }: TroubleProps) {
  const { title, text, action } = problems[problem.code];
  if (problem.code === "signIn") return <SignInCard lead={text} onSignedIn={() => void retry()} />;
  return (
    <Problem title={title}>
      <p>{text}</p>
      {problem.detail !== undefined && (
        <p className="text-quiet [overflow-wrap:anywhere]">{problem.detail}</p>
      )}
      <RequestId id={problem.requestId} />
      <div className="flex flex-wrap gap-3">
        <Button look="primary" onClick={retry}>
          {action ?? common.retry}
        </Button>
        {problem.code === "notFound" && <Button onClick={begin}>{words.again}</Button>}
        {problem.code === "notApproved" && (
          <ButtonLink to="/publish/edit" search={{ id: String(id) }}>
            {words.toEditor}
          </ButtonLink>
        )}
      </div>
    </Problem>
  );
}
