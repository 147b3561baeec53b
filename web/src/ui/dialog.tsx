import { Dialog as Base } from "@base-ui/react/dialog";
import { type ReactNode, useEffect } from "react";
import { common } from "../strings/common.ts";
import { joinClasses } from "./button.tsx";
import { Icon } from "./icon.tsx";

type DialogProps = {
  readonly onClose: () => void;
  readonly title: string;
  readonly lead?: ReactNode;
  /** Whether the dialog is as wide as a page, so that a text can be read in it. */
  readonly wide?: boolean;
  readonly children: ReactNode;
};

/**
 * A dialog that lies above the page and keeps the focus inside. On phones, the dialog rises from the lower edge of the screen. The Escape
 * key and a click outside close the dialog.
 */
export function Dialog({ onClose, title, lead, wide = false, children }: DialogProps) {
  useEffect(() => () => void setTimeout(keepFocus), []);
  return (
    <Base.Root open onOpenChange={(wanted) => !wanted && onClose()}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Viewport className="fixed inset-0 z-50 grid items-end justify-items-center overflow-y-auto sm:items-center sm:p-6">
          <Base.Popup
            className={joinClasses(
              "relative w-full rounded-t-3xl bg-card p-5 shadow-float transition duration-200 data-ending-style:translate-y-4 data-ending-style:opacity-0 data-starting-style:translate-y-4 data-starting-style:opacity-0 sm:rounded-3xl sm:p-7",
              wide ? "max-w-3xl" : "max-w-md",
            )}
          >
            <div className="mb-1 flex items-start justify-between gap-4">
              <Base.Title className="text-title leading-tight font-semibold">{title}</Base.Title>
              <Base.Close className="-mt-1 -mr-2 grid size-10 shrink-0 place-items-center rounded-full text-quiet hover:bg-sunk">
                <Icon name="close" />
                <span className="sr-only">{common.close}</span>
              </Base.Close>
            </div>
            {lead !== undefined && (
              <Base.Description className="mb-5 text-sm text-quiet">{lead}</Base.Description>
            )}
            {children}
          </Base.Popup>
        </Base.Viewport>
      </Base.Portal>
    </Base.Root>
  );
}

/**
 * If the control that opened a dialog no longer exists when the dialog closes, the focus moves to the surrounding part of the page, not to
 * the body.
 */
function keepFocus(): void {
  const isLost = document.activeElement === document.body && document.querySelector("[role=dialog]") === null;
  if (isLost) (document.getElementById("text") ?? document.getElementById("main"))?.focus();
}
