import { type ReactNode, useEffect } from "react";
import { countWords } from "../../../../core/press/schema.ts";
import type { AuditedPress } from "../../api/publish.ts";
import { isSignInNeeded } from "../../api/request.ts";
import { formatTime, formatToMinute, formatToSecond, shortenHex } from "../../format.ts";
import { SignInCard, useSession } from "../../session/sign-in.tsx";
import { common } from "../../strings/common.ts";
import { editor as words } from "../../strings/editor.ts";
import { publish } from "../../strings/publish.ts";
import { list } from "../../strings/reader.ts";
import { Button, ButtonLink, Spinner } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Pair, TermList } from "../../ui/page.tsx";
import { Badge, Notice, RequestId } from "../../ui/status.tsx";
import { explainSignIn, StatusBadge } from "../gate.tsx";
import { type Draft, type DraftState, isOnlyHere, isTextKept, isUnsaved, type SavedText } from "./draft.ts";
import { type DraftText, type FieldFaults, fieldNames, listDifferences } from "./text.ts";

type SaveStateProps = {
  readonly state: DraftState;
  readonly own: AuditedPress | undefined;
  /** All faults for which the service would refuse to save the text. */
  readonly faults: FieldFaults;
};

/** Shows the state of the press, and whether the service has the whole text. */
export function SaveState({ state, own, faults }: SaveStateProps) {
  const missing = fieldNames.filter((name) => faults[name] !== undefined);
  const unsaved = isUnsaved(state);
  const status = own?.press.status;
  return (
    <>
      <p className="z-10 -my-2 flex flex-wrap items-center gap-x-3 gap-y-2 border-b border-line bg-paper py-3 text-sm sm:sticky sm:top-16">
        {status !== undefined && <StatusBadge status={unsaved ? "draft" : status} />}
        {(own?.press.aiAssisted === true || state.generation !== undefined) && <Badge>{list.ai}</Badge>}
        <span data-state={state.phase.name} className="flex items-center gap-2 text-quiet">
          <SaveIcon state={state} />
          {describeState(state, missing.length === 0)}
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

function describeState(state: DraftState, fit: boolean): string {
  const { phase, saved } = state;
  if (phase.name !== "rest") return words.state[phase.name];
  if (!isUnsaved(state)) {
    return saved === undefined ? words.state.empty : words.state.saved(formatWhen(saved.updatedAt));
  }
  return !fit && state.kept !== undefined && isTextKept(state)
    ? words.state.kept(formatWhen(state.kept.updatedAt))
    : words.state.unsaved;
}

/** If a save is older than this number of milliseconds, the save's date is shown beside the time. */
const recent = 12 * 3_600_000;

function formatWhen(timestamp: string): string {
  return Date.now() - Date.parse(timestamp) < recent ? formatTime(timestamp) : formatToMinute(timestamp);
}

function SaveIcon({ state }: { readonly state: DraftState }) {
  const { name } = state.phase;
  if (name === "saving") return <Spinner />;
  if (name !== "rest") return <Icon name="warning" className="text-warn" />;
  return (state.saved !== undefined && !isUnsaved(state)) || isTextKept(state) ? (
    <Icon name="check" className="text-accent" />
  ) : null;
}

type SaveTroubleProps = { readonly draft: Draft; readonly state: DraftState };

/** Shows why a draft is not saved, and what the writer can do. The fault of a single field is shown at the field. */
export function SaveTrouble({ draft, state }: SaveTroubleProps) {
  const { phase, aside, wallet } = state;
  const { address } = useSession();
  useEffect(() => {
    const { phase: now } = draft.state();
    // The wallet may also have signed in at the top of the page or in another tab.
    if (address === wallet && now.name === "refused" && isSignInNeeded(now.problem)) draft.retry();
  }, [draft, wallet, address]);
  const kept = state.notKept ? "" : words.keptHere;
  const problem = phase.name === "waiting" || phase.name === "refused" ? phase.problem : undefined;
  const isOther = address !== undefined && address !== wallet && isOnlyHere(state);
  if (isOther || isSignInNeeded(problem)) {
    const why = address === null ? words.signedOut : words.otherSession;
    const lead = isOther
      ? `${why} ${words.signInToSave(shortenHex(wallet))} ${kept}`
      : explainSignIn(problem);
    return (
      <div role="alert">
        <SignInCard lead={lead} onSignedIn={draft.retry} />
      </div>
    );
  }
  if (phase.name === "conflict") return <Conflict draft={draft} state={state} theirs={phase.theirs} />;
  if (problem === undefined) {
    return aside.map((each, at) => (
      <AsideText key={JSON.stringify(each)} draft={draft} aside={each} at={at} state={state} />
    ));
  }
  if (phase.name === "waiting") {
    return (
      <Trouble title={words.waitingTitle} text={`${words.waiting} ${kept}`}>
        <p className="text-sm text-quiet">{problem.message}</p>
        <Button onClick={draft.retry}>{common.retry}</Button>
      </Trouble>
    );
  }
  if (problem.code === "draft_limit") {
    const hours = words.hours(problem.retryAfter ?? 0);
    return <Trouble title={words.draftLimitTitle} text={`${words.draftLimit(hours)} ${kept}`} />;
  }
  if (problem.code === "too_many_manuscripts") {
    return (
      <Trouble title={state.notKept ? words.refusedTitle : words.fullTitle} text={words.full}>
        <ButtonLink to="/publish">{publish.toDashboard}</ButtonLink>
      </Trouble>
    );
  }
  return (
    <Trouble title={words.refusedTitle} text={kept}>
      <p className="text-sm">{problem.message}</p>
      <RequestId id={problem.requestId} />
      <Button onClick={draft.retry}>{common.retry}</Button>
    </Trouble>
  );
}

type TroubleProps = { readonly title: string; readonly text: string; readonly children?: ReactNode };

function Trouble({ title, text, children }: TroubleProps) {
  return (
    <Notice heading={title} tone="warn" isAlert>
      {text !== "" && <p>{text}</p>}
      {children}
    </Notice>
  );
}

type AsideTextProps = SaveTroubleProps & { readonly aside: DraftText; readonly at: number };

/** Offers the version that the writer did not choose in a conflict of two versions. */
function AsideText({ draft, state, aside, at }: AsideTextProps) {
  const names = listDifferences(state.text, aside).map((name) => words.labels[name]);
  return (
    <Notice heading={words.asideTitle}>
      <p>{words.aside(aside.headline, words.words(countWords(aside.body)))}</p>
      {names.length > 0 && (
        <p className="text-sm">
          {words.differs}: {names.join(", ")}
        </p>
      )}
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => draft.takeAside(at)}>{words.asideTake}</Button>
        <Button look="plain" onClick={() => draft.dropAside(at)}>
          {words.asideDrop}
        </Button>
      </div>
    </Notice>
  );
}

type ConflictProps = { readonly draft: Draft; readonly state: DraftState; readonly theirs: SavedText };

/** Shows two versions of one draft with their differences, and lets the writer choose one version. */
function Conflict({ draft, state, theirs }: ConflictProps) {
  const names = listDifferences(state.text, theirs.text).map((name) => words.labels[name]);
  return (
    <Notice heading={words.conflictTitle} tone="warn" isAlert>
      <p>{words.conflict}</p>
      <div className="grid w-full gap-4 sm:grid-cols-2">
        <ConflictVersion
          title={words.mine}
          when={words.changedAt}
          at={state.changedAt ?? theirs.updatedAt}
          text={state.text}
          hint={words.keepMineHint}
        >
          <Button look="primary" onClick={draft.keepMine}>
            {words.keepMine}
          </Button>
        </ConflictVersion>
        <ConflictVersion
          title={words.theirs}
          when={words.savedAt}
          at={theirs.updatedAt}
          text={theirs.text}
          hint={words.takeTheirsHint}
        >
          <Button onClick={draft.takeTheirs}>{words.takeTheirs}</Button>
        </ConflictVersion>
      </div>
      <p className="text-sm">
        {words.differs}: {names.length === 0 ? words.same : names.join(", ")}
      </p>
    </Notice>
  );
}

type ConflictVersionProps = Readonly<Record<"title" | "when" | "at" | "hint", string>> & {
  readonly text: DraftText;
  readonly children: ReactNode;
};

/** One of the two versions in a conflict, with the button that chooses this version. */
function ConflictVersion({
  title,
  when,
  at,
  text: { headline, body },
  hint,
  children,
}: ConflictVersionProps) {
  return (
    <section aria-label={title} className="grid content-between gap-4 rounded-xl bg-card p-4">
      <div className="grid content-start gap-2">
        <h3 className="text-sm font-semibold">{title}</h3>
        <p className="font-serif font-bold">{headline}</p>
        <TermList>
          <Pair term={when}>
            <time dateTime={at}>{formatToSecond(at)}</time>
          </Pair>
          <Pair term={words.labels.body}>{words.words(countWords(body))}</Pair>
        </TermList>
      </div>
      <div className="grid gap-2">
        <p className="text-xs text-quiet">{hint}</p>
        {children}
      </div>
    </section>
  );
}
