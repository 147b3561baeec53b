import { Menu as Base } from "@base-ui/react/menu";
import type { ReactNode } from "react";

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
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger className={triggerClass}>{trigger}</Base.Trigger>
      <Base.Portal>
        <Base.Positioner className="z-30" align="end" sideOffset={8} collisionPadding={12}>
          <Base.Popup className="min-w-60 rounded-2xl border border-line bg-card p-2 text-sm shadow-float transition duration-150 data-ending-style:opacity-0 data-starting-style:-translate-y-1 data-starting-style:opacity-0">
            <Base.Group>
              <Base.GroupLabel className="max-w-64 px-3 pt-2 pb-3 text-xs text-quiet">
                {about}
              </Base.GroupLabel>
              {children}
            </Base.Group>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
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
    <Base.Item className={itemClass} onClick={onClick}>
      {children}
    </Base.Item>
  );
}
