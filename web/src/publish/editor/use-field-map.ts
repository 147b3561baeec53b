import { useRef } from "react";
import type { Part } from "../audit/place.ts";

export type FieldHandle = {
  /** For the control's `ref`. */
  readonly hold: (element: HTMLElement | null) => void;
  readonly element: () => HTMLElement | null;
  /** Makes the control visible where something else stands in its place. */
  readonly reveal: { current: () => void };
};
export type FieldMap = Readonly<Record<Part, FieldHandle>>;

/** The controls that an audit's findings lead to. */
export function useFieldMap(): FieldMap {
  const map = useRef<FieldMap>(undefined);
  map.current ??= { headline: handle(), preview: handle(), body: handle() };
  return map.current;
}

function handle(): FieldHandle {
  let held: HTMLElement | null = null;
  return {
    hold: (element) => {
      held = element;
    },
    element: () => held,
    reveal: { current: () => undefined },
  };
}
