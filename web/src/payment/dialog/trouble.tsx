import { useQuery } from "@tanstack/react-query";
import { Suspense } from "react";
import { discovery, readChainId, useChainName } from "../../api/discovery.ts";
import type { Address } from "../../api/request.ts";
import { formatRoundedEther, formatUnitsAsDollars } from "../../format.ts";
import { findPublicNode } from "../../site.ts";
import { common } from "../../strings/common.ts";
import { nameProblemKind, problems, payment as words } from "../../strings/payment.ts";
import { Button, ButtonLink, ReloadButton } from "../../ui/button.tsx";
import { Pair, TermList, TextSkeleton } from "../../ui/page.tsx";
import { makeLazyPart } from "../../ui/part.tsx";
import { RequestId } from "../../ui/status.tsx";
import { Problem } from "../../ui/steps.tsx";
import { useConnection } from "../../wallet/state.ts";
import type { Problem as PaymentProblem } from "../answer.ts";
import { lacksGas, sumUnpaid } from "../machine.ts";
import { computeLegPrice } from "../purchase.ts";
import type { Payment } from "../runner.ts";
import type { PayPhase, PayState } from "../state.ts";
import { describeMoney } from "./steps.ts";

type TroubleProps = {
  readonly phase: Extract<PayPhase, { name: "stopped" }>;
  readonly state: PayState;
  readonly tell: Payment["tell"];
};

/** Shows why a payment stopped, what happened to the money, and the next step. */
export function Trouble({ phase: { problem, back }, state, tell }: TroubleProps) {
  const chain = useChainName();
  // The request to switch the network is separate from the payment, so a reader who declined the switch has not declined the payment.
  const declined = problem.code === "rejected" && back.name === "network";
  const { title, text, action } = {
    ...problems[problem.code],
    ...(declined && words.declinedNetwork(chain)),
  };
  const says = findSpecificDetail(problem);
  const resends = problem.code === "unavailable" && back.name === "send";
  const restIsLeft = state.legs.fee?.state === "paid" && state.legs.publisher === undefined;
  const asksForRest = restIsLeft && (back.name === "terms" || back.name === "sign");
  return (
    <>
      <Problem title={title} family={nameProblemKind(problem.code)}>
        <p>
          {describeProblem(problem, state) ?? text} {resends && words.sameSignature}
        </p>
        <p>{describeMoney(state)}</p>
        {says !== undefined && <p className="text-quiet">{words.says(says)}</p>}
        <RequestId id={problem.requestId} />
        {problem.code === "broken" ? (
          <ReloadButton look="primary">{action}</ReloadButton>
        ) : problem.code === "missing" ? (
          <ButtonLink look="primary" to="/">
            {action}
          </ButtonLink>
        ) : (
          <Button look="primary" onClick={() => tell({ type: "retry" })}>
            {asksForRest
              ? words.agree(formatUnitsAsDollars(computeLegPrice(state.purchase, "publisher")))
              : (action ?? common.retry)}
          </Button>
        )}
      </Problem>
      {problem.code === "insufficient" && state.wallet !== undefined && (
        <Funding wallet={state.wallet} due={sumUnpaid(state)} onFunded={() => tell({ type: "retry" })} />
      )}
      {(problem.code === "network" ||
        (back.name === "network" && (declined || problem.code === "walletFailed"))) && <ManualNetwork />}
    </>
  );
}

/**
 * The service's message, if the message is more specific than the site's text. The sentence about the money is removed from the message,
 * because the page shows a sentence of its own about the money.
 */
function findSpecificDetail(problem: PaymentProblem): string | undefined {
  return ["refused", "unavailable", "walletFailed", "badSignature"].includes(problem.code)
    ? trimDetail(problem)
    : undefined;
}

function trimDetail({ detail }: PaymentProblem): string | undefined {
  const rest = detail?.replace(/Nothing was (?:signed and nothing was )?charged[^.:]*[.:]\s*/g, "").trim();
  return rest === "" ? undefined : rest;
}

/** Returns a more detailed text about a problem, if details are known. */
function describeProblem(problem: PaymentProblem, state: PayState): string | undefined {
  if (problem.code === "insufficient") return describeMissingFunds(state);
  return problem.code === "passkey" ? trimDetail(problem) : undefined;
}

function describeMissingFunds(state: PayState): string | undefined {
  const { funds, way } = state;
  if (funds === undefined) return undefined;
  const due = sumUnpaid(state);
  const formatUnitsOrZero = (units: bigint) => formatUnitsAsDollars(String(units < 0n ? 0n : units));
  const needsGas =
    way?.method === "permit2" && funds.allowance < due && lacksGas(funds) && funds.approvalCost !== undefined
      ? words.lackingGas(formatRoundedEther(funds.approvalCost))
      : "";
  return (
    words.lacking(
      formatUnitsOrZero(funds.usdg),
      formatUnitsOrZero(due),
      formatUnitsOrZero(due - funds.usdg),
    ) + needsGas
  );
}

// The code for adding money is loaded on demand, because few readers need it.
const PurseFunding = makeLazyPart(async () => (await import("../../purse/funding.tsx")).PurseFunding);
const WalletFunding = makeLazyPart(async () => (await import("../../purse/funding.tsx")).WalletFunding);

type FundingProps = { readonly wallet: Address; readonly due: bigint; readonly onFunded: () => void };

/** Shows the address to which USDG can be sent, and how to get USDG. */
function Funding({ wallet, due, onFunded }: FundingProps) {
  const isPurse = useConnection()?.isPurse === true;
  return (
    <Suspense fallback={<TextSkeleton />}>
      {isPurse ? <PurseFunding due={due} onFunded={onFunded} /> : <WalletFunding address={wallet} />}
    </Suspense>
  );
}

/** Shows the network's settings, for wallets to which a page cannot add a network. */
function ManualNetwork() {
  const service = useQuery(discovery).data;
  if (service === undefined) return null;
  const id = readChainId(service);
  const { networkFields: fields } = words;
  return (
    <div className="grid gap-3 rounded-2xl border border-line p-4 text-sm">
      <p>{words.networkBy}</p>
      <TermList>
        <Pair term={fields.name}>{service.network.name}</Pair>
        <Pair term={fields.id}>{id}</Pair>
        <Pair term={fields.rpc}>
          <code className="[overflow-wrap:anywhere]">{findPublicNode()}</code>
        </Pair>
        <Pair term={fields.symbol}>ETH</Pair>
      </TermList>
    </div>
  );
}
