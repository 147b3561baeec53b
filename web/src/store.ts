import { useSyncExternalStore } from "react";
import type * as z from "zod";
import { parseJson } from "./api/request.ts";

/** A value that is stored outside React. Components watch the changes of the value. */
export type Store<Value> = {
  readonly get: () => Value;
  readonly set: (value: Value) => void;
  /** Calls `listener` after each change. Returns a function that ends the calls of `listener`. */
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

/** Values that this browser stores by key, so that they survive a reload. */
type Drawer<T> = {
  /** The stored value; `undefined` if no value is stored, or if an older version of the site stored a value of another form. */
  readonly read: (key: string) => T | undefined;
  /**
   * Stores a value. Throws `NotKept` if the browser cannot store the change. If the value must not be lost, the caller must stop after this
   * error.
   */
  readonly write: (key: string, value: T) => void;
  readonly remove: (key: string) => void;
  /** Every stored key of this group of entries, with its value. */
  readonly all: () => readonly (readonly [key: string, value: T])[];
};

/** The error for a browser in which the site cannot store anything. The causes are private mode, blocked storage, or no space left. */
export class NotKept extends Error {
  override readonly name = "NotKept";
}

/**
 * Runs code that stores values. Returns `false` if the browser cannot store the values (`NotKept`). An error that is not a `NotKept` is
 * thrown again.
 */
export function tryKeep(keep: () => void): boolean {
  try {
    keep();
    return true;
  } catch (error) {
    if (error instanceof NotKept) return false;
    throw error;
  }
}

/** Opens a group of entries in `localStorage`. The schema `form` must accept the JSON of each value. */
export function openLocalStore<T>(name: string, form: z.ZodType<T>): Drawer<T> {
  const prefix = `${name}:`;
  const read = (key: string) => {
    const text = tryStore(() => localStorage.getItem(prefix + key));
    return text == null ? undefined : form.safeParse(parseJson(text)).data;
  };
  return {
    read,
    write(key, value) {
      try {
        localStorage.setItem(prefix + key, JSON.stringify(value));
      } catch (cause) {
        throw new NotKept("This browser stores nothing for this site.", { cause });
      }
    },
    remove: (key) => void tryStore(() => localStorage.removeItem(prefix + key)),
    all: () =>
      (tryStore(() => Object.keys(localStorage)) ?? [])
        .filter((key) => key.startsWith(prefix))
        .flatMap((key) => {
          const value = read(key.slice(prefix.length));
          return value === undefined ? [] : [[key.slice(prefix.length), value] as const];
        }),
  };
}

/**
 * Returns `undefined` if the browser blocks storage with an error, or if an app's browser has no storage. For a reader, blocked storage is
 * the same as empty storage.
 */
export function tryStore<T>(touch: () => T): T | undefined {
  try {
    return touch();
  } catch (error) {
    if (error instanceof DOMException || localStorage == null) return undefined;
    throw error;
  }
}
