import { useSyncExternalStore } from "react";

export const schemes = ["system", "light", "dark"] as const;
export type Scheme = (typeof schemes)[number];

/** Read before the first paint by public/scheme.js, under the same key. */
const key = "scheme";
const listeners = new Set<() => void>();

/** The reader's choice of colour scheme, and how to change it. It is kept in this browser, where that is possible. */
export function useScheme(): readonly [Scheme, (scheme: Scheme) => void] {
  return [useSyncExternalStore(watch, current), choose];
}

function current(): Scheme {
  return schemes.find((scheme) => scheme === document.documentElement.dataset.scheme) ?? "system";
}

function choose(scheme: Scheme): void {
  if (scheme === "system") delete document.documentElement.dataset.scheme;
  else document.documentElement.dataset.scheme = scheme;
  try {
    localStorage.setItem(key, scheme);
  } catch (error) {
    console.warn("This browser does not keep the choice of scheme.", error);
  }
  for (const listener of listeners) listener();
}

function watch(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
