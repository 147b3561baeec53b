import { type ReactNode, useState } from "react";
import { useChainName } from "../../api/discovery.ts";
import { formatRoundedEther, formatUnitsAsDollars, formatUsdg } from "../../format.ts";
import { problems, payment as words } from "../../strings/payment.ts";
import { Button } from "../../ui/button.tsx";
import { Choice } from "../../ui/choice.tsx";
import { Icon } from "../../ui/icon.tsx";
import { ExplorerLink } from "../../ui/page.tsx";
import { StepNumber } from "../../ui/steps.tsx";
import { useConnection } from "../../wallet/state.ts";
import { lacksGas, mayChangeWallet, sumUnpaid } from "../machine.ts";
import { computeLegPrice, type Leg } from "../purchase.ts";
import type { Payment } from "../runner.ts";
import type { Funds, PayMode, PayState } from "../state.ts";
import { countSignaturesLeft, findLegAmount } from "./steps.ts";

type PlanProps = { readonly state: PayState; readonly tell: Payment["tell"] };

/** Shows the price of the text, who gets the money, and which part is already paid. */
export function Summary({ state, tell }: PlanProps) {
  const { legs, funds, wallet } = state;
  const due = String(sumUnpaid(state));
  const begun = legs.fee?.state === "paid";
  return (
    <div className="grid gap-3 rounded-2xl bg-sunk px-4 py-3">
      <div className="grid">
        <p className="flex items-baseline justify-between gap-4">
          <span className="text-sm text-quiet">{begun ? words.leftToPay : words.pay}</span>
          <strong className="figure text-title font-semibold">{formatUnitsAsDollars(due)}</strong>
        </p>
        <p className="figure text-right text-xs text-quiet">{words.inUsdg(formatUsdg(due))}</p>
      </div>
      <dl className="grid gap-1 border-t border-line pt-3 text-sm">
        <Part term={words.toPublisher} state={state} leg="publisher" />
        <Part term={words.toPlatform} state={state} leg="fee" />
        {wallet !== undefined && (
          <div className="flex flex-wrap justify-between gap-x-4">
            <dt className="text-quiet">{words.from}</dt>
            <dd className="flex flex-wrap gap-x-2">
              <ExplorerLink kind="address" value={wallet} />
              {funds !== undefined && (
                <span className="figure text-quiet">
                  {words.has(formatUnitsAsDollars(String(funds.usdg)))}
                </span>
              )}
              {mayChangeWallet(state) && (
                <button type="button" className="link" onClick={() => tell({ type: "change_wallet" })}>
                  {words.changeWallet}
                  <span className="sr-only">{words.changeWalletOf}</span>
                </button>
              )}
            </dd>
          </div>
        )}
      </dl>
    </div>
  );
}

function Part({ term, state, leg }: { readonly term: string; readonly state: PayState; readonly leg: Leg }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-quiet">{term}</dt>
      <dd className="figure flex items-center gap-2">
        {state.legs[leg]?.state === "paid" && (
          <span className="inline-flex items-center gap-1 text-accent">
            <Icon name="check" className="size-3.5" /> {words.paidAlready}
          </span>
        )}
        {formatUnitsAsDollars(findLegAmount(state, leg))}
      </dd>
    </div>
  );
}

/** Lists what the wallet will ask the reader to confirm. The list appears before the first request. */
export function Plan({ state, tell }: PlanProps) {
  const { funds, legs, purchase } = state;
  const [method, setMethod] = useState<PayMode["method"]>(funds?.isContract === true ? "permit2" : "eip3009");
  const isPurse = useConnection()?.isPurse === true;
  const [approval, setApproval] = useState<"exact" | "unlimited">("exact");
  const network = useChainName();
  if (funds === undefined) return null;
  const due = sumUnpaid(state);
  const lacksApproval = method === "permit2" && funds.allowance < due;
  const hasChoice = !isPurse && (funds.isContract || funds.allowance > 0n);
  const exact = approval === "exact" ? formatUnitsAsDollars(String(due)) : undefined;
  const gas = funds.approvalCost === undefined ? undefined : formatRoundedEther(funds.approvalCost);
  const feeIsPaid = legs.fee?.state === "paid";
  const prompts = [
    ...(funds.onChain ? [] : [words.prompt.network(network)]),
    ...(lacksApproval ? [words.prompt.approval(exact, gas)] : []),
    ...(legs.publisher === undefined
      ? [words.prompt.publisher(formatUnitsAsDollars(computeLegPrice(purchase, "publisher")))]
      : []),
    ...(legs.fee === undefined
      ? [words.prompt.fee(formatUnitsAsDollars(computeLegPrice(purchase, "fee")))]
      : []),
  ];
  const way: PayMode = method === "permit2" ? { method, approval } : { method };
  return (
    <div className="grid gap-4">
      {feeIsPaid && <p className="text-sm">{words.feeKept(formatUnitsAsDollars(legs.fee?.amount ?? "0"))}</p>}
      {hasChoice && (
        <Methods funds={funds} method={method} lacks={funds.allowance < due} onChange={setMethod} />
      )}
      {lacksApproval && (
        <Options note={words.approvalNotes[approval]}>
          <Choice
            label={words.approvalChoice}
            value={approval}
            options={[
              { value: "exact", label: words.approvals.exact(formatUnitsAsDollars(String(due))) },
              { value: "unlimited", label: words.approvals.unlimited },
            ]}
            onChange={setApproval}
          />
        </Options>
      )}
      <div className="grid gap-3">
        <p className="font-semibold">{isPurse ? words.pursePrompts : words.prompts(prompts.length)}</p>
        <ol className="grid gap-3">
          {prompts.map(({ title, text }, index) => (
            <li key={title} className="flex gap-3 text-sm">
              <StepNumber>{index + 1}</StepNumber>
              <span className="grid gap-0.5">
                <span className="font-medium">{title}</span>
                <span className="text-quiet">{text}</span>
              </span>
            </li>
          ))}
        </ol>
        <p className="text-sm text-quiet">
          {countSignaturesLeft(state) === 2 && `${words.bothFirst} `}
          {method === "eip3009" && words.noGas}
        </p>
      </div>
      {lacksApproval && lacksGas(funds) && <p className="text-sm text-warn">{problems.noGas.text}</p>}
      <Button look="primary" size="large" onClick={() => tell({ type: "planned", way })}>
        {words.payNow(formatUnitsAsDollars(String(due)))}
      </Button>
    </div>
  );
}

type MethodsProps = {
  readonly funds: Funds;
  readonly method: PayMode["method"];
  readonly lacks: boolean;
  readonly onChange: (method: PayMode["method"]) => void;
};

/** The choice between the two payment methods, for wallets that support both methods. */
function Methods({ funds, method, lacks, onChange }: MethodsProps) {
  const allowed =
    funds.allowance > 10n ** 30n ? words.unlimited : formatUnitsAsDollars(String(funds.allowance));
  const approved = lacks ? words.wayNotes.permit2 : words.approvedNote(allowed);
  const permit2 = funds.isContract ? words.contractNote : approved;
  return (
    <Options note={method === "permit2" ? permit2 : words.wayNotes.eip3009}>
      <Choice
        label={words.ways}
        value={method}
        options={[
          { value: "eip3009", label: words.wayNames.eip3009 },
          { value: "permit2", label: words.wayNames.permit2 },
        ]}
        onChange={onChange}
      />
    </Options>
  );
}

function Options({ note, children }: { readonly note: string; readonly children: ReactNode }) {
  return (
    <div className="grid justify-items-start gap-2">
      {children}
      <p className="text-sm text-quiet">{note}</p>
    </div>
  );
}
