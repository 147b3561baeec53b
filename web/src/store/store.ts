import { useSyncExternalStore } from "react";

/** A value outside React whose changes components watch. */
export type Store<Value> = {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** Calls `listener` after each change. Returns a function that ends the calls. */
  readonly watch: (listener: () => void) => () => void;
};

export function makeStore<Value>(start: Value): Store<Value> {
  let current = start;
  const listeners = new Set<() => void>();
  return {
    get: () => current,
    set: (value) => {
      current = value;
      for (const listener of listeners) listener();
    },
    watch: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

export function useStore<Value>({ get, watch }: Pick<Store<Value>, "get" | "watch">): Value {
  return useSyncExternalStore(watch, get);
}
