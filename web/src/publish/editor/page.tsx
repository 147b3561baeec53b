import { useQuery } from "@tanstack/react-query";
import { getRouteApi, Navigate } from "@tanstack/react-router";
import { Suspense, useEffect, useRef, useState, useSyncExternalStore } from "react";
import type { Issue } from "../../../../core/audit/schema.ts";
import type { Dashboard } from "../../../../core/press/schema.ts";
import { type AuditedPress, dashboard, queryManuscript, queryOwnPress } from "../../api/publish.ts";
import { useSession } from "../../session/sign-in.tsx";
import { audit, editor as words } from "../../strings/editor.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { LoadingText, Page, TextSkeleton } from "../../ui/page.tsx";
import { makeLazyPart } from "../../ui/part.tsx";
import { Notice } from "../../ui/status.tsx";
import { Assist } from "../assist/assist.tsx";
import { AuditPanel, countAuditsLeft } from "../audit/panel.tsx";
import { OwnPressFailure, PublisherGate } from "../gate.tsx";
import { BodyField } from "./body.tsx";
import { type Draft, type DraftState, isOnlyHere, isUnsaved } from "./draft.ts";
import { DisclosureHint, LineField, PriceField, StockField, useFaults, useFieldMap } from "./fields.tsx";
import {
  convertContents,
  convertManuscript,
  type DraftName,
  findOpenDraft,
  isNewName,
  makeTextName,
  openDraft,
  openNewDraft,
} from "./open-drafts.ts";
import { SaveState, SaveTrouble } from "./saving.tsx";

const route = getRouteApi("/publish/edit");

/** The editor's page. The URL contains the id of a saved press or the name of a local text. */
export function EditorPage() {
  const { id, draft } = route.useSearch();
  const navigate = route.useNavigate();
  const named = id !== undefined || draft !== undefined;
  useEffect(() => {
    if (!named) void navigate({ search: { draft: makeTextName() }, replace: true, resetScroll: false });
  }, [named, navigate]);
  const heldFor = useHeldWallet({ id: id === undefined ? undefined : Number(id), local: draft ?? "" });
  return (
    <Page title={id === undefined ? words.newTitle : words.title}>
      <PublisherGate heldFor={heldFor}>
        {(wallet) => named && <DraftEditor wallet={wallet} id={id} local={draft ?? ""} />}
      </PublisherGate>
    </Page>
  );
}

/**
 * The wallet whose text stays on the page although the wallet's session has ended, for example in another tab. A text stays on the page
 * only if the service does not have the text. The sign-in page would not tell the writer that the text is not saved.
 */
function useHeldWallet(name: DraftName): string | undefined {
  const { address } = useSession();
  const last = useRef<string>(undefined);
  const { current: former } = last;
  const draft = former === undefined || former === address ? undefined : findOpenDraft(former, name);
  if (draft !== undefined && isOnlyHere(draft.state())) return former;
  last.current = address ?? undefined;
  return undefined;
}

type DraftEditorProps = { readonly wallet: string; readonly id: string | undefined; readonly local: string };

function DraftEditor({ wallet, id, local }: DraftEditorProps) {
  const number = id === undefined ? undefined : Number(id);
  const press = useQuery({ ...queryOwnPress(number ?? 0), enabled: number !== undefined });
  const list = useQuery(dashboard).data;
  const unfinished = useManuscript(number === undefined ? local : `press-${number}`, list);
  const latest = list?.presses[0];
  const defaults = latest === undefined ? {} : { publisherName: latest.publisherName };
  const { data } = press;
  const open = findOpenDraft(wallet, { id: number, local });
  const known = unfinished.data;
  const draft =
    open ??
    (known === undefined
      ? undefined
      : number === undefined
        ? openNewDraft(wallet, local, defaults, known)
        : data && openDraft(wallet, data, known));
  useEffect(() => {
    if (data !== undefined) draft?.refresh(convertContents(data));
  }, [draft, data]);
  useEffect(() => {
    if (known != null) draft?.refreshUnfinished(convertManuscript(known));
  }, [draft, known]);
  if (draft !== undefined) return <Workbench key={draft.state().local} draft={draft} own={data} />;
  const error = press.error ?? unfinished.error;
  if (error !== null) {
    const retry = () => void Promise.all([press.refetch(), unfinished.refetch()]);
    return <OwnPressFailure heading={words.failed} error={error} retry={retry} />;
  }
  return <LoadingText lines={10}>{words.loading}</LoadingText>;
}

/** The service's manuscript of a text; null if the service has no manuscript. The manuscript is requested only if it may exist. */
function useManuscript(name: string, list: Dashboard | undefined) {
  const isNew = isNewName(name);
  const isChange = name.startsWith("press-");
  const listed = list?.manuscripts?.some((each) => each.name === name);
  const asked = !isNew && ((listed ?? true) || !isChange);
  const { data, error, refetch } = useQuery({ ...queryManuscript(name), enabled: asked });
  return asked ? { data, error, refetch } : { data: null, error: null, refetch };
}

type WorkbenchProps = {
  readonly draft: Draft;
  /** The service's data of the press, once the press has an id and its data is loaded. */
  readonly own: AuditedPress | undefined;
};

/** The editor: the fields on one side of the page, and the audit on the other side. */
function Workbench({ draft, own }: WorkbenchProps) {
  const state = useSyncExternalStore(draft.watch, draft.state);
  const navigate = route.useNavigate();
  const { id: shown } = route.useSearch();
  const { id } = state;
  // The time of the audit whose approval the writer gives up. A later approval locks the text again.
  const [reopened, setReopened] = useState<string>();
  const { all, faults, touch, showAll } = useFaults(state);
  const fields = useFieldMap();
  useSaveOnLeave(draft);
  useEffect(() => {
    if (id !== undefined && String(id) !== shown) {
      void navigate({ search: { id: String(id) }, replace: true, resetScroll: false });
    }
  }, [id, shown, navigate]);

  const status = own?.press.status;
  const refusedLive = state.phase.name === "refused" && state.phase.problem.code === "press_live";
  if (id !== undefined && (status === "live" || refusedLive)) {
    return <Navigate to="/publish/$id" params={{ id: String(id) }} replace />;
  }
  const approved = status === "approved";
  const isReopened = reopened !== undefined && reopened === own?.audit?.auditedAt;
  const readOnly = state.locked || (approved && !isReopened && !isUnsaved(state));
  const field = { draft, state, faults, touch, readOnly };
  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <form
        aria-label={words.form}
        className="grid min-w-0 content-start gap-6"
        onSubmit={(event) => event.preventDefault()}
      >
        <SaveState state={state} own={own} faults={all} />
        <SaveTrouble draft={draft} state={state} />
        {approved && own !== undefined && (
          <Approval own={own} locked={readOnly} onReopen={() => setReopened(own.audit?.auditedAt)} />
        )}
        <StockField {...field} />
        {!(approved && readOnly) && (
          <Assist
            draft={draft}
            state={state}
            readOnly={readOnly}
            onWritten={() => fields.headline.element()?.focus()}
          />
        )}
        <LineField name="headline" {...field} control={fields.headline} />
        <LineField name="preview" {...field} control={fields.preview} />
        <BodyField {...field} control={fields.body} issues={own?.audit?.issues ?? none} />
        <DisclosureHint draft={draft} state={state} own={own} readOnly={readOnly} />
        <div className="grid items-start gap-6 sm:grid-cols-2">
          <LineField name="publisherName" {...field} />
          <PriceField {...field} />
        </div>
        <PreviewButton
          state={state}
          aiAssisted={own?.press.aiAssisted === true || state.generation !== undefined}
        />
      </form>
      <AuditPanel draft={draft} state={state} own={own} fields={fields} onFaults={showAll} />
    </div>
  );
}

const none: readonly Issue[] = [];

const PressPreview = makeLazyPart(async () => (await import("./preview.tsx")).default);

/** The button that opens the preview of the whole press. */
function PreviewButton(shown: { readonly state: DraftState; readonly aiAssisted: boolean }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button size="large" className="justify-self-start" onClick={() => setOpen(true)}>
        {words.whole}
      </Button>
      {open && (
        <Dialog wide onClose={() => setOpen(false)} title={words.wholeTitle} lead={words.wholeLead}>
          <Suspense fallback={<TextSkeleton lines={8} />}>
            <PressPreview {...shown} />
          </Suspense>
        </Dialog>
      )}
    </>
  );
}

type ApprovalProps = { readonly own: AuditedPress; readonly locked: boolean; readonly onReopen: () => void };

/** Offers to mint an approved press, and explains the consequences of an edit. */
function Approval({ own, locked, onReopen }: ApprovalProps) {
  const left = audit.leftShort(countAuditsLeft(own));
  if (!locked) {
    return (
      <Notice heading={words.unlockedTitle} tone="warn">
        <p>{words.unlocked(left)}</p>
      </Notice>
    );
  }
  return (
    <Notice heading={words.approvedTitle}>
      <p>{words.approved}</p>
      <div className="flex flex-wrap gap-3">
        <ButtonLink look="primary" to="/publish/$id/mint" params={{ id: String(own.press.id) }}>
          {words.mint}
        </ButtonLink>
        <Button onClick={onReopen}>{words.unlock}</Button>
      </div>
      <p className="text-sm text-quiet">{words.unlockWarning(left)}</p>
    </Notice>
  );
}

/**
 * Saves the draft when the page is left or hidden, and when the network connection is back. If this browser stores no copy of an unsaved
 * text, the browser asks the writer before it closes the page.
 */
function useSaveOnLeave(draft: Draft): void {
  useEffect(() => {
    const leave = () => void draft.flush();
    const hide = () => document.visibilityState === "hidden" && leave();
    const retryIfWaiting = () => draft.state().phase.name === "waiting" && draft.retry();
    const warn = (event: BeforeUnloadEvent) => {
      const { notKept } = draft.state();
      if (notKept && isUnsaved(draft.state())) event.preventDefault();
    };
    // If an earlier visit left unsaved text, the page saves this text without waiting for a change.
    leave();
    const left = new AbortController();
    document.addEventListener("visibilitychange", hide, left);
    window.addEventListener("pagehide", leave, left);
    window.addEventListener("online", retryIfWaiting, left);
    window.addEventListener("beforeunload", warn, left);
    return () => {
      left.abort();
      leave();
    };
  }, [draft]);
}
