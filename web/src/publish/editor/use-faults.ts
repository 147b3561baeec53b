import { useDeferredValue, useMemo, useState } from "react";
import type { DeskState } from "./desk-state.ts";
import { type Faults, type FieldName, faultsBy, faultsOf, fieldNames } from "./text.ts";

export type ShownFaults = {
  /** Everything that a save would refuse. */
  readonly all: Faults;
  /** What is said beside the fields. */
  readonly faults: Faults;
  /** A field was left: from now on its fault is shown. */
  readonly touch: (name: FieldName) => void;
  /** Shows every fault there is, and answers which fields they are in. */
  readonly showAll: () => readonly FieldName[];
};

/** The faults of a text. Nobody is told of a fault in a field that they have not come to yet. */
export function useFaults({ text, phase }: DeskState): ShownFaults {
  const [touched, setTouched] = useState<ReadonlySet<FieldName>>(new Set());
  const settled = useDeferredValue(text);
  const found = useMemo(() => faultsOf(settled), [settled]);
  const refused = phase.name === "refused" ? faultsBy(phase.problem) : {};
  const shown = Object.fromEntries(
    fieldNames.flatMap((name) => {
      const fault = refused[name] ?? (touched.has(name) ? found[name] : undefined);
      return fault === undefined ? [] : [[name, fault]];
    }),
  );
  return {
    all: found,
    faults: shown,
    touch: (name) => setTouched((before) => (before.has(name) ? before : new Set(before).add(name))),
    showAll: () => {
      setTouched(new Set(fieldNames));
      const faults = faultsOf(text);
      return fieldNames.filter((name) => faults[name] !== undefined);
    },
  };
}
