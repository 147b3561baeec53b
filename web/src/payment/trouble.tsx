import { common } from "../strings/common.ts";
import { payment as words } from "../strings/payment.ts";
import { Button } from "../ui/button.tsx";
import { formatUsdg } from "../usdg.ts";
import { stillDue } from "./machine.ts";
import { familyOf } from "./problem.ts";
import type { Payment } from "./runner.ts";
import type { Phase, State } from "./state.ts";

type TroubleProps = {
  readonly phase: Extract<Phase, { name: "stopped" }>;
  readonly state: State;
  readonly tell: Payment["tell"];
};

/** Why a payment stopped, what that means for the money, and the next thing to do. */
export function Trouble({ phase: { problem }, state, tell }: TroubleProps) {
  const { title, text, action } = words.problems[problem.code];
  const { funds, wallet } = state;
  return (
    <div
      role="alert"
      className="grid justify-items-start gap-3 rounded-2xl border border-warn bg-warn-soft p-4 text-sm text-ink"
    >
      <p className="text-xs font-medium text-warn">{words.families[familyOf(problem)]}</p>
      <p className="text-base font-semibold">{title}</p>
      <p>{text}</p>
      {problem.code === "insufficient" && funds !== undefined && (
        <p className="figure">
          {words.lacking(formatUsdg(String(funds.usdg)), formatUsdg(String(stillDue(state))))}
        </p>
      )}
      {(problem.code === "insufficient" || problem.code === "noGas") && wallet !== undefined && (
        <p>
          <code>{wallet}</code>
        </p>
      )}
      {problem.detail !== undefined && <p className="text-quiet">{problem.detail}</p>}
      {problem.requestId !== undefined && (
        <p className="text-quiet">
          {common.requestId}: <code>{problem.requestId}</code>
        </p>
      )}
      <Button look="primary" onClick={() => tell({ type: "retry" })}>
        {action}
      </Button>
    </div>
  );
}
