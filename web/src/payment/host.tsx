import { useEffect, useState } from "react";
import { unlock as words } from "../strings/unlock.ts";
import { Button, ReloadButton } from "../ui/button.tsx";
import { Opening, Veil } from "../ui/veil.tsx";
import { isUnanswered, unfinished } from "./record.ts";
import type { Purchase } from "./terms.ts";

type PaymentHostProps = {
  readonly purchase: Purchase;
  readonly open: boolean;
  readonly onOpen: (open: boolean) => void;
};

/** The dialog of a press's payment. One that a reload broke off, sent and unanswered, opens and goes on by itself. */
export default function PaymentHost({ purchase, open, onOpen }: PaymentHostProps) {
  const { pressId } = purchase;
  useEffect(() => {
    const begun = unfinished(pressId);
    if (begun !== undefined && isUnanswered(begun)) onOpen(true);
  }, [pressId, onOpen]);
  const dialog = useDialog(open);
  if (!open) return null;
  if (dialog.state === "failed") return <DialogFailed onClose={() => onOpen(false)} />;
  if (dialog.state === "loading") return <Opening onClose={() => onOpen(false)} />;
  const { Dialog } = dialog;
  return <Dialog purchase={purchase} onClose={() => onOpen(false)} />;
}

type DialogPart = typeof import("./dialog.tsx")["default"];
type Loaded =
  | { readonly state: "loading" }
  | { readonly state: "failed" }
  | { readonly state: "ready"; readonly Dialog: DialogPart };

/** The dialog's code, once it is wanted. */
function useDialog(wanted: boolean): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({ state: "loading" });
  useEffect(() => {
    if (!wanted) return;
    import("./dialog.tsx").then(
      ({ default: Dialog }) => setLoaded({ state: "ready", Dialog }),
      () => setLoaded({ state: "failed" }),
    );
    // What shows the text is there when the text is.
    import("../ui/markdown.tsx").catch(() => undefined);
  }, [wanted]);
  return loaded;
}

/** A browser does not ask again for code that did not come before the page is loaded anew; what is signed is kept. */
function DialogFailed({ onClose }: { readonly onClose: () => void }) {
  return (
    <Veil label={words.unlockTitle} onClose={onClose}>
      <div role="alert" className="grid gap-4">
        <p>{words.dialogFailed}</p>
        <div className="flex gap-3">
          <ReloadButton look="primary">{words.retry}</ReloadButton>
          <Button onClick={onClose}>{words.close}</Button>
        </div>
      </div>
    </Veil>
  );
}
