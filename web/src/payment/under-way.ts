import { useSyncExternalStore } from "react";

/** Presses whose payment is being sent: what pays tells it, so that a page that only shows a price does without that code. */
const sending = new Set<number>();
const listeners = new Set<() => void>();

export function setUnderWay(pressId: number, isSending: boolean): void {
  if (sending.has(pressId) === isSending) return;
  if (isSending) sending.add(pressId);
  else sending.delete(pressId);
  for (const listener of listeners) listener();
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether a payment for the press is being sent. */
export function useUnderWay(pressId: number): boolean {
  return useSyncExternalStore(watch, () => sending.has(pressId));
}
