import { useQueryClient } from "@tanstack/react-query";
import { discovery } from "../api/discovery.ts";
import SignInPanel from "../session/sign-in-panel.tsx";
import { payment as words } from "../strings/payment.ts";
import { Button } from "../ui/button.tsx";
import { Icon } from "../ui/icon.tsx";
import { Dialog } from "../ui/overlay.tsx";
import { downloadReceipt, receiptOf } from "./receipt.ts";
import { recordOf } from "./record.ts";
import type { State } from "./state.ts";

type EndingProps = { readonly state: State; readonly onClose: () => void };

/** The end of a payment: the text is here, or a sign-in away. */
export function Ending({ state, onClose }: EndingProps) {
  const { phase, purchase, wallet } = state;
  const client = useQueryClient();
  if (phase.name !== "read") {
    return (
      <Dialog open onClose={onClose} title={words.unlockedTitle} lead={words.unlocked}>
        <SignInPanel onSignedIn={onClose} />
      </Dialog>
    );
  }
  const record = wallet === undefined ? undefined : recordOf(purchase.pressId, wallet);
  const download = async () => {
    if (record === undefined) return;
    const service = await client.ensureQueryData(discovery);
    downloadReceipt(receiptOf(record, service, window.location.origin));
  };
  return (
    <Dialog open onClose={onClose} title={words.doneTitle} lead={purchase.headline}>
      <div className="grid justify-items-center gap-5 text-center">
        <span className="grid size-16 place-items-center rounded-full bg-accent-soft text-accent">
          <Icon name="check" className="size-8" />
        </span>
        <p role="status">{words.done}</p>
        <div className="flex flex-wrap justify-center gap-3">
          <Button look="primary" size="large" onClick={onClose}>
            {words.read}
          </Button>
          {record !== undefined && (
            <Button size="large" onClick={() => void download()}>
              <Icon name="down" /> {words.receipt}
            </Button>
          )}
        </div>
      </div>
    </Dialog>
  );
}
