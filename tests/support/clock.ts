import { setTimeout as delay } from "node:timers/promises";
import { vi } from "vitest";
import { systemClock } from "../../core/adapter/system.ts";

/** Moves the service's clock forward. The clock stays ahead until mocks are restored. */
export function moveClockForward(seconds: number): void {
  const offset = systemClock.now() + seconds * 1000 - Date.now();
  vi.spyOn(systemClock, "now").mockImplementation(() => Date.now() + offset);
}

/**
 * Until the returned function is called, each pause of the service lasts a tenth of its time, and the service's clock jumps forward by the
 * rest of the pause.
 */
export function shortenPauses(): () => void {
  const sleep = vi.spyOn(systemClock, "sleep").mockImplementation(async (milliseconds) => {
    moveClockForward((milliseconds * 0.9) / 1000);
    await delay(milliseconds / 10);
  });
  return () => sleep.mockRestore();
}
