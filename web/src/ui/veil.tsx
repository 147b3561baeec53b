import { type ReactNode, useCallback } from "react";
import { common } from "../strings/common.ts";
import { Spinner } from "./button.tsx";

type VeilProps = {
  readonly label: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
};

/** Shown before a dialog's code is loaded. The browser's own dialog traps the focus and returns it. */
export function Veil({ label, onClose, children }: VeilProps) {
  const show = useCallback((veil: HTMLDialogElement | null) => {
    veil?.showModal();
    return () => veil?.close();
  }, []);
  return (
    <dialog
      ref={show}
      aria-label={label}
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      className="fixed inset-0 z-40 m-0 grid size-full max-h-none max-w-none items-end justify-items-center border-0 bg-veil p-0 text-ink sm:items-center sm:p-6"
    >
      <div className="w-full max-w-md rounded-t-3xl bg-card p-7 shadow-float sm:rounded-3xl">{children}</div>
    </dialog>
  );
}

/** Shown at once while a dialog loads. */
export function Opening({ onClose }: Pick<VeilProps, "onClose">) {
  return (
    <Veil label={common.opening} onClose={onClose}>
      <p role="status" className="flex items-center gap-3 text-quiet">
        <Spinner /> {common.opening}
      </p>
    </Veil>
  );
}
