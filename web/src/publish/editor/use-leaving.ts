import { useEffect } from "react";
import type { Desk } from "./desk.ts";
import { isUnsaved } from "./desk-state.ts";

/**
 * Saves when the page is left or put aside, and when the network is back. Who would lose words that even this browser
 * does not keep is asked before the page closes.
 */
export function useLeaving(desk: Desk): void {
  useEffect(() => {
    const leave = () => void desk.flush();
    const hide = () => document.visibilityState === "hidden" && leave();
    const online = () => desk.state().phase.name === "waiting" && desk.retry();
    const warn = (event: BeforeUnloadEvent) => {
      const { notKept } = desk.state();
      if (notKept && isUnsaved(desk.state())) event.preventDefault();
    };
    // What an earlier visit left unsaved does not wait for another change.
    leave();
    document.addEventListener("visibilitychange", hide);
    window.addEventListener("pagehide", leave);
    window.addEventListener("online", online);
    window.addEventListener("beforeunload", warn);
    return () => {
      document.removeEventListener("visibilitychange", hide);
      window.removeEventListener("pagehide", leave);
      window.removeEventListener("online", online);
      window.removeEventListener("beforeunload", warn);
      leave();
    };
  }, [desk]);
}
