import { Dialog as BaseDialog } from "@base-ui/react/dialog";
import { Menu as BaseMenu } from "@base-ui/react/menu";
import type { ReactNode } from "react";
import { common } from "../strings/common.ts";
import { Icon } from "./icon.tsx";

type DialogProps = {
  readonly open: boolean;
  readonly onClose: () => void;
  readonly title: string;
  readonly lead?: ReactNode;
  readonly children: ReactNode;
};

/** A view above the page that holds the focus. On phones it rises from the lower edge; Escape and the veil close it. */
export function Dialog({ open, onClose, title, lead, children }: DialogProps) {
  return (
    <BaseDialog.Root open={open} onOpenChange={(wanted) => !wanted && onClose()}>
      <BaseDialog.Portal>
        <BaseDialog.Backdrop className="fixed inset-0 z-40 bg-veil transition-opacity duration-200 data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <BaseDialog.Viewport className="fixed inset-0 z-50 grid items-end justify-items-center overflow-y-auto sm:items-center sm:p-6">
          <BaseDialog.Popup className="relative w-full max-w-md rounded-t-3xl bg-card p-5 shadow-float transition duration-200 data-ending-style:translate-y-4 data-ending-style:opacity-0 data-starting-style:translate-y-4 data-starting-style:opacity-0 sm:rounded-3xl sm:p-7">
            <div className="mb-1 flex items-start justify-between gap-4">
              <BaseDialog.Title className="text-title leading-snug font-semibold">{title}</BaseDialog.Title>
              <BaseDialog.Close className="-mt-1 -mr-2 grid size-10 shrink-0 place-items-center rounded-full text-quiet hover:bg-sunk">
                <Icon name="close" />
                <span className="sr-only">{common.close}</span>
              </BaseDialog.Close>
            </div>
            {lead !== undefined && (
              <BaseDialog.Description className="mb-5 text-sm text-quiet">{lead}</BaseDialog.Description>
            )}
            {children}
          </BaseDialog.Popup>
        </BaseDialog.Viewport>
      </BaseDialog.Portal>
    </BaseDialog.Root>
  );
}

type MenuProps = {
  readonly trigger: ReactNode;
  readonly triggerClass: string;
  readonly defaultOpen?: boolean;
  /** A word about what is to be done with, above the list. */
  readonly about: string;
  readonly children: ReactNode;
};

/** A button that opens a list of things to do. */
export function Menu({ trigger, triggerClass, defaultOpen = false, about, children }: MenuProps) {
  return (
    <BaseMenu.Root defaultOpen={defaultOpen}>
      <BaseMenu.Trigger className={triggerClass}>{trigger}</BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner className="z-30" align="end" sideOffset={8} collisionPadding={12}>
          <BaseMenu.Popup className="min-w-60 rounded-2xl border border-line bg-card p-2 text-sm shadow-float transition duration-150 data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0">
            <BaseMenu.Group>
              <BaseMenu.GroupLabel className="max-w-64 px-3 pt-2 pb-3 text-xs text-quiet">
                {about}
              </BaseMenu.GroupLabel>
              {children}
            </BaseMenu.Group>
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}

const itemClass =
  "flex min-h-10 w-full cursor-pointer items-center gap-3 rounded-xl px-3 py-2 text-left data-highlighted:bg-sunk";

/** One thing to do. */
export function MenuItem({
  onClick,
  children,
}: {
  readonly onClick: () => void;
  readonly children: ReactNode;
}) {
  return (
    <BaseMenu.Item className={itemClass} onClick={onClick}>
      {children}
    </BaseMenu.Item>
  );
}
