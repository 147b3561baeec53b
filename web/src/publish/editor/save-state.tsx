import type { AuditedPress } from "../../api/publish.ts";
import { formatMoment, formatTime } from "../../format.ts";
import { publish } from "../../strings/publish.ts";
import { editor as words } from "../../strings/publish-editor.ts";
import { Badge } from "../../ui/badge.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { StatusBadge } from "../status.tsx";
import { type DeskState, isUnsaved } from "./desk-state.ts";
import { type Faults, fieldNames } from "./text.ts";

type SaveStateProps = {
  readonly state: DeskState;
  readonly own: AuditedPress | undefined;
  /** Everything that a save would refuse. */
  readonly faults: Faults;
};

/** Where the press stands, and whether the service has every word of it. */
export function SaveState({ state, own, faults }: SaveStateProps) {
  const missing = fieldNames.filter((name) => faults[name] !== undefined);
  const unsaved = isUnsaved(state);
  const status = own?.press.status;
  return (
    <>
      <p className="z-10 -my-2 flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-paper/95 py-3 text-sm sm:sticky sm:top-16">
        {status !== undefined && <StatusBadge status={unsaved ? "draft" : status} />}
        {(own?.press.aiAssisted === true || state.generation !== undefined) && <Badge>{publish.ai}</Badge>}
        <span data-state={state.phase.name} className="flex items-center gap-2 text-quiet">
          <Mark state={state} />
          {toldOf(state, missing.length === 0)}
        </span>
      </p>
      {state.notKept && unsaved ? (
        <p role="alert" className="text-sm text-warn">
          {words.notKept}
        </p>
      ) : (
        unsaved &&
        missing.length > 0 && (
          <p className="text-sm text-quiet">{words.keptWhy(missing.map((name) => words.labels[name]))}</p>
        )
      )}
    </>
  );
}

function toldOf(state: DeskState, fit: boolean): string {
  const { phase, saved } = state;
  if (phase.name !== "rest") return words.state[phase.name];
  if (!isUnsaved(state)) {
    return saved === undefined ? words.state.empty : words.state.saved(timeOf(saved.updatedAt));
  }
  return fit ? words.state.unsaved : words.state.kept;
}

/** Milliseconds after which a time of day alone says too little. */
const recent = 12 * 3_600_000;

function timeOf(timestamp: string): string {
  return Date.now() - Date.parse(timestamp) < recent ? formatTime(timestamp) : formatMoment(timestamp);
}

function Mark({ state }: { readonly state: DeskState }) {
  const { name } = state.phase;
  if (name === "saving") return <Spinner />;
  if (name !== "rest") return <Icon name="warning" className="text-warn" />;
  return state.saved !== undefined && !isUnsaved(state) ? (
    <Icon name="check" className="text-accent" />
  ) : null;
}
