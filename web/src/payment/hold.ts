const held = new Map<number, () => void>();

/**
 * Makes this tab the only one of the browser that pays for a press, until `letGo`. Answers false where another one does.
 * Browsers without locks are left to the service, which never charges twice.
 */
export async function holdPress(pressId: number): Promise<boolean> {
  if (held.has(pressId) || !("locks" in navigator)) return true;
  const entered = Promise.withResolvers<boolean>();
  const left = Promise.withResolvers<void>();
  navigator.locks
    .request(`payment:${pressId}`, { ifAvailable: true }, async (lock) => {
      entered.resolve(lock !== null);
      if (lock === null) return;
      held.set(pressId, left.resolve);
      await left.promise;
    })
    .catch(entered.reject);
  return entered.promise;
}

export function letGo(pressId: number): void {
  held.get(pressId)?.();
  held.delete(pressId);
}
