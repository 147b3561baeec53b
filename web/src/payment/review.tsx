import { payment as words } from "../strings/payment.ts";
import { Button } from "../ui/button.tsx";
import { formatUsdg } from "../usdg.ts";
import { legPrice } from "./purchase.ts";
import type { Payment } from "./runner.ts";
import type { Phase, State } from "./state.ts";

type ReviewProps = {
  readonly phase: Extract<Phase, { name: "review" }>;
  readonly state: State;
  readonly tell: Payment["tell"];
  readonly onBack: () => void;
};

/** Another amount than was shown: nothing is signed until it is agreed to. */
export function Review({ phase: { leg, terms }, state, tell, onBack }: ReviewProps) {
  const is = formatUsdg(terms.accepted.amount);
  return (
    <div role="alert" className="grid gap-3 rounded-2xl border border-warn bg-warn-soft p-4 text-sm text-ink">
      <p className="text-base font-semibold">{words.reviewTitle}</p>
      <p>{words.review(formatUsdg(legPrice(state.purchase, leg)), is)}</p>
      <div className="flex flex-wrap gap-3">
        <Button look="primary" onClick={() => tell({ type: "agree" })}>
          {words.agree(is)}
        </Button>
        <Button onClick={onBack}>{words.back}</Button>
      </div>
    </div>
  );
}
