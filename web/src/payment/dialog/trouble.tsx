import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { chainIdOf, discovery } from "../../api/request.ts";
import { dollars } from "../../format.ts";
import { publicNode } from "../../site.ts";
import { common } from "../../strings/common.ts";
import { payment as words } from "../../strings/payment.ts";
import { Button, Copy, Spinner } from "../../ui/button.tsx";
import { Pair, Pairs, TextSkeleton } from "../../ui/page.tsx";
import { useConnection } from "../../wallet/state.ts";
import { familyOf, type Problem } from "../answer.ts";
import { lacksGas, stillDue } from "../machine.ts";
import { legPrice } from "../purchase.ts";
import type { Payment } from "../runner.ts";
import type { Phase, State } from "../state.ts";
import { gasOf } from "./plan.tsx";
import { moneyOf } from "./steps.ts";

/** Loaded on demand, because few readers need it. */
const Qr = lazy(() => import("../../ui/qr.tsx"));

type TroubleProps = {
  readonly phase: Extract<Phase, { name: "stopped" }>;
  readonly state: State;
  readonly tell: Payment["tell"];
};

/** Why a payment stopped, what happened to the money, and the next step. */
export function Trouble({ phase: { problem, back }, state, tell }: TroubleProps) {
  const chain = useQuery(discovery).data?.network.name ?? "Robinhood Chain";
  // A network is switched by a request of its own, which says nothing about the payment.
  const declined = problem.code === "rejected" && back.name === "network";
  const { title, text, action } = {
    ...words.problems[problem.code],
    ...(declined && words.declinedNetwork(chain)),
  };
  const says = whatItSays(problem);
  const restIsLeft = state.legs.fee?.state === "paid" && state.legs.publisher === undefined;
  const asksForRest = restIsLeft && (back.name === "terms" || back.name === "sign");
  return (
    <>
      <div
        role="alert"
        className="grid justify-items-start gap-3 rounded-2xl border border-warn bg-warn-soft p-4 text-sm text-ink"
      >
        <p className="text-xs font-medium text-warn">{words.families[familyOf(problem)]}</p>
        <p className="text-base font-semibold">{title}</p>
        <p>{whatHappened(problem, state) ?? text}</p>
        <p>{moneyOf(state)}</p>
        {says !== undefined && <p className="text-quiet">{words.says(says)}</p>}
        {problem.requestId !== undefined && (
          <p className="text-quiet">
            {common.requestId}: <code>{problem.requestId}</code>
          </p>
        )}
        <Button look="primary" onClick={() => tell({ type: "retry" })}>
          {asksForRest ? words.agree(dollars(legPrice(state.purchase, "publisher"))) : action}
        </Button>
      </div>
      {problem.code === "insufficient" && state.wallet !== undefined && (
        <Funding wallet={state.wallet} due={stillDue(state)} onFunded={() => tell({ type: "retry" })} />
      )}
      {(problem.code === "network" ||
        (back.name === "network" && (declined || problem.code === "walletFailed"))) && <NetworkByHand />}
    </>
  );
}

/**
 * The answer's message if it is more specific than ours, without its sentence about the money, because the
 * page has its own.
 */
function whatItSays(problem: Problem): string | undefined {
  return ["refused", "unavailable", "walletFailed", "badSignature"].includes(problem.code)
    ? detailOf(problem)
    : undefined;
}

function detailOf({ detail }: Problem): string | undefined {
  const rest = detail?.replace(/Nothing was (?:signed and nothing was )?charged[^.:]*[.:]\s*/g, "").trim();
  return rest === "" ? undefined : rest;
}

/** Tells more about the problem, if more is known than its own text says. */
function whatHappened(problem: Problem, state: State): string | undefined {
  if (problem.code === "insufficient") return whatIsMissing(state);
  return problem.code === "passkey" ? detailOf(problem) : undefined;
}

function whatIsMissing(state: State): string | undefined {
  const { funds, way } = state;
  if (funds === undefined) return undefined;
  const due = stillDue(state);
  const amount = (units: bigint) => dollars(String(units < 0n ? 0n : units));
  const gas = gasOf(funds);
  const needsGas =
    way?.method === "permit2" && funds.allowance < due && lacksGas(funds) && gas !== undefined
      ? words.lackingGas(gas)
      : "";
  return words.lacking(amount(funds.usdg), amount(due), amount(due - funds.usdg)) + needsGas;
}

const PurseFunding = lazy(async () => ({
  default: (await import("../../purse/funding.tsx")).PurseFunding,
}));

type FundingProps = { readonly wallet: string; readonly due: bigint; readonly onFunded: () => void };

/** The address for USDG, and how to get some. */
function Funding({ wallet, due, onFunded }: FundingProps) {
  const isPurse = useConnection()?.isPurse === true;
  if (!isPurse) return <WalletFunding wallet={wallet} />;
  return (
    <Suspense fallback={<TextSkeleton />}>
      <PurseFunding due={due} onFunded={onFunded} />
    </Suspense>
  );
}

function WalletFunding({ wallet }: Pick<FundingProps, "wallet">) {
  const service = useQuery(discovery).data;
  const chain = service?.network.name ?? "Robinhood Chain";
  return (
    <div className="grid gap-4 text-sm">
      <div className="grid gap-3 rounded-2xl border border-line p-4">
        <p className="text-base font-semibold">{words.fundTitle}</p>
        <div className="flex flex-wrap items-center gap-4">
          <div className="grid size-32 shrink-0 place-items-center">
            <Suspense fallback={<Spinner />}>
              <Qr text={wallet} label={words.fundCode} />
            </Suspense>
          </div>
          <div className="grid min-w-0 flex-1 basis-40 justify-items-start gap-2">
            <code className="[overflow-wrap:anywhere]">{wallet.toLowerCase()}</code>
            <Copy label={words.fundAddress} text={wallet.toLowerCase()} />
          </div>
        </div>
      </div>
      <div className="grid gap-2">
        <p className="font-semibold">{words.fundHow(chain)}</p>
        {import.meta.env.DEVNET && <p className="text-quiet">{words.fundDevnet}</p>}
        <ul className="grid list-disc gap-1.5 pl-5 text-quiet">
          {words.fundWays(chain).map((way) => (
            <li key={way}>{way}</li>
          ))}
        </ul>
        {service !== undefined && (
          <p className="flex flex-wrap items-center gap-2 text-quiet">
            {words.fundToken}:{" "}
            <code className="[overflow-wrap:anywhere]">{service.network.asset.address.toLowerCase()}</code>
            <Copy label={words.fundToken} text={service.network.asset.address} />
          </p>
        )}
      </div>
    </div>
  );
}

/** For wallets that cannot add a network from a page. */
function NetworkByHand() {
  const service = useQuery(discovery).data;
  if (service === undefined) return null;
  const id = chainIdOf(service);
  const { networkFields: fields } = words;
  return (
    <div className="grid gap-3 rounded-2xl border border-line p-4 text-sm">
      <p>{words.networkBy}</p>
      <Pairs>
        <Pair term={fields.name}>{service.network.name}</Pair>
        <Pair term={fields.id}>{id}</Pair>
        <Pair term={fields.rpc}>
          <code className="[overflow-wrap:anywhere]">{publicNode()}</code>
        </Pair>
        <Pair term={fields.symbol}>ETH</Pair>
      </Pairs>
    </div>
  );
}
