import { useSyncExternalStore } from "react";
import { common } from "../strings/common.ts";
import { Icon } from "../ui/icon.tsx";

const schemes = ["system", "light", "dark"] as const;
type Scheme = (typeof schemes)[number];

/** Read before the first paint by public/first.js, under the same key. */
const key = "scheme";
const listeners = new Set<() => void>();

/** The reader's choice of colour scheme, and how to change it. It is kept in this browser, where that is possible. */
function useScheme(): readonly [Scheme, (scheme: Scheme) => void] {
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

const icons = { system: "system", light: "sun", dark: "moon" } as const;

/** Goes from one scheme to the next: as the system, light, dark. */
export function SchemeButton() {
  const [scheme, choose] = useScheme();
  const next = schemes[(schemes.indexOf(scheme) + 1) % schemes.length] ?? "system";
  return (
    <button
      type="button"
      onClick={() => choose(next)}
      aria-label={common.schemeButton(common.schemes[scheme], common.schemes[next])}
      title={common.schemeButton(common.schemes[scheme], common.schemes[next])}
      className="grid size-10 shrink-0 place-items-center rounded-full text-quiet hover:bg-sunk hover:text-ink"
    >
      <Icon name={icons[scheme]} />
    </button>
  );
}
