import { mutationOptions, useMutation } from "@tanstack/react-query";
import { useState } from "react";
import * as z from "zod";
import type { Angle, Angles as Found } from "../../../../core/draft/schema.ts";
import { findAngles, generateDraft, makeIdempotencyKey } from "../../api/publish.ts";
import { ApiProblem, isSignInNeeded, queryClient } from "../../api/request.ts";
import { me } from "../../api/session.ts";
import { formatToMinute } from "../../format.ts";
import { SignInButton } from "../../session/sign-in.tsx";
import { openLocalStore, tryKeep } from "../../store.ts";
import { common, wallet } from "../../strings/common.ts";
import { editor, assist as words } from "../../strings/editor.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Badge } from "../../ui/status.tsx";
import { Problem } from "../../ui/steps.tsx";
import type { Draft, Generation } from "../editor/draft.ts";
import type { FieldProps } from "../editor/fields.tsx";
import type { DraftText } from "../editor/text.ts";

/** The codes of the refusals whose message already says that the failed request does not count towards the quota. */
const saysSo = ["model_unavailable", "model_budget_spent"];

type AssistProblemProps = {
  readonly title: string;
  readonly error: Error;
  /** Whether the failed request counts towards the daily quota. */
  readonly counted?: false;
  /** This function is called after the sign-in, and continues the action that needed a session. */
  readonly onSignedIn: () => void;
};

/** Says why the AI help could not suggest angles or write a draft. */
function AssistProblem({ title, error, counted, onSignedIn }: AssistProblemProps) {
  const problem = error instanceof ApiProblem ? error : undefined;
  const none = problem?.code === "generation_limit";
  return (
    <Problem title={none ? words.noneLeft : title}>
      <p>{none ? words.resets(editor.hours(problem.retryAfter ?? 0)) : error.message}</p>
      {isSignInNeeded(error) && <SignInButton onSignedIn={onSignedIn}>{wallet.signIn}</SignInButton>}
      {problem?.status === 503 && counted === false && !saysSo.includes(problem.code ?? "") && (
        <p>{words.notCounted}</p>
      )}
    </Problem>
  );
}

type ReplaceDialogProps = {
  readonly angle: Angle;
  readonly onCancel: () => void;
  readonly onReplace: () => void;
};

/** The dialog that asks the writer whether the AI draft should replace the writer's own text. */
function ReplaceDialog({ angle, onCancel, onReplace }: ReplaceDialogProps) {
  return (
    <Dialog onClose={onCancel} title={words.replaceTitle} lead={words.replaceLead}>
      <div className="grid gap-5">
        <p className="font-semibold">{angle.title}</p>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={onCancel}>{common.cancel}</Button>
          <Button look="primary" onClick={onReplace}>
            {words.replace}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

/** The idempotency keys of drafts that were requested and have no answer yet. Each key is stored under the wallet, stock and angle. */
const keys = openLocalStore("generation-key", z.string());

/**
 * Generates a draft with a key that this browser stores until the answer arrives. If the answer is lost, a repeated request gets the same
 * draft, even after a reload. Repeated requests for the same draft count only once towards the daily limit. Throws ApiProblem.
 */
async function generateDraftOnce(wallet: string, stock: string, angleId: string) {
  const name = `${wallet}:${stock}:${angleId}`;
  const key = keys.read(name) ?? makeIdempotencyKey();
  // If the browser cannot store data, the idempotency key is lost after this request.
  tryKeep(() => keys.write(name, key));
  try {
    const generated = await generateDraft(stock, angleId, key);
    keys.remove(name);
    return generated;
  } catch (error) {
    const isOpen =
      error instanceof ApiProblem && (error.status === undefined || error.code === "still_writing");
    if (!isOpen) keys.remove(name);
    throw error;
  }
}

/** The angle and the stock of an AI draft. The writer may choose another stock for the text while the draft is generated. */
type ChosenAngle = { readonly id: string; readonly about: string };

/**
 * Requests an AI draft and replaces the text by it. Words that were written meanwhile are stored separately, because the writer did not
 * agree to replace them. Returns the replaced text. The request for an AI draft and an audit must not run at the same time, because
 * the AI draft could not replace a text that an audit has locked. If another wallet is signed in, no AI draft is written, because the other
 * wallet could not save the draft.
 */
export const requestGeneration = (draft: Draft) =>
  mutationOptions({
    mutationKey: ["generation", draft.state().wallet, draft.state().local],
    mutationFn: async ({ id, about }: ChosenAngle) => {
      const { locked, wallet: owner, text: asked } = draft.state();
      if (locked) throw new Error(editor.auditLocked);
      const session = queryClient.getQueryData(me.queryKey);
      if (typeof session === "string" && session !== owner) throw new Error(editor.otherSession);
      const { draft: written, generationId, sources, remaining } = await generateDraftOnce(owner, about, id);
      const { text, generation } = draft.state();
      const generated = { id: generationId, stock: about, sources };
      const { headline, preview, body } = isEmptyDraft(text) ? text : asked;
      draft.replace({ ...text, ...written, stock: about }, generated, { ...text, headline, preview, body });
      // The draft is saved at once, so that the press is labelled as AI-written even if the writer changes the text later.
      void draft.flush();
      return { remaining, before: { text, generation } };
    },
  });

type AssistProps = Pick<FieldProps, "draft" | "state" | "readOnly"> & {
  /** This function is called when the AI draft is in the editor. */
  readonly onWritten: () => void;
};
type FormerDraft = { readonly text: DraftText; readonly generation: Generation | undefined };

/** The AI help: suggests angles on the stock, and writes a draft about a chosen angle. */
export function Assist({ draft, state, readOnly, onWritten }: AssistProps) {
  const { text, generation } = state;
  const { stock } = text;
  const [open, setOpen] = useState(isEmptyDraft(text));
  const [asked, setAsked] = useState<Angle>();
  const [former, setFormer] = useState<FormerDraft>();
  const angles = useMutation({ mutationFn: findAngles });
  const writing = useMutation({
    ...requestGeneration(draft),
    onSuccess: ({ before }) => {
      setFormer(before);
      angles.reset();
      onWritten();
    },
  });
  const found = angles.variables === stock ? angles.data : undefined;
  const remaining = writing.data?.remaining ?? found?.remaining;
  const write = (angle: Angle) => {
    setAsked(undefined);
    setFormer(undefined);
    writing.mutate({ id: angle.id, about: stock });
  };
  const choose = (angle: Angle) => (isEmptyDraft(text) ? write(angle) : setAsked(angle));
  return (
    <details
      open={open}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
      className="group rounded-2xl border border-line bg-card shadow-card"
    >
      <summary className="flex min-h-12 list-none flex-wrap items-center justify-between gap-x-4 gap-y-1 px-5 py-3 [&::-webkit-details-marker]:hidden">
        <span className="flex items-center gap-2 font-medium">
          <Icon name="chevron" className="text-quiet transition-transform group-open:rotate-180" />
          {words.title}
        </span>
        {remaining !== undefined && <span className="text-xs text-quiet">{words.remaining(remaining)}</span>}
      </summary>
      <div className="grid justify-items-start gap-4 border-t border-line p-5 text-sm">
        <p className="text-quiet">
          {words.lead} {words.label}
        </p>
        {stock === "" ? (
          <p>{words.needsStock}</p>
        ) : (
          <Button
            look={found === undefined && generation === undefined ? "primary" : "secondary"}
            busy={angles.isPending}
            disabled={readOnly}
            onClick={() => angles.mutate(stock)}
          >
            {angles.isPending ? words.finding : found === undefined ? words.find(stock) : words.again}
          </Button>
        )}
        {angles.error !== null && (
          <AssistProblem
            title={words.failedAngles}
            error={angles.error}
            onSignedIn={() => angles.mutate(stock)}
          />
        )}
        {found !== undefined && (
          <Angles
            found={found}
            busy={writing.isPending ? writing.variables.id : undefined}
            disabled={readOnly || remaining === 0}
            onChoose={choose}
          />
        )}
        {writing.isPending && <p role="status">{words.generating}</p>}
        {writing.error !== null && (
          <AssistProblem
            title={words.failedDraft}
            error={writing.error}
            counted={false}
            onSignedIn={() => writing.mutate(writing.variables)}
          />
        )}
        {former !== undefined && (
          <div className="flex flex-wrap items-center gap-3">
            <p role="status">{words.done}</p>
            {!isEmptyDraft(former.text) && !readOnly && (
              <Button
                size="small"
                onClick={() => {
                  draft.replace(former.text, former.generation);
                  setFormer(undefined);
                }}
              >
                {words.undo}
              </Button>
            )}
          </div>
        )}
        {generation !== undefined && (
          <Sources
            generation={generation}
            note={generation.stock === stock ? undefined : editor.generationStock(generation.stock)}
          />
        )}
      </div>
      {asked !== undefined && (
        <ReplaceDialog angle={asked} onCancel={() => setAsked(undefined)} onReplace={() => write(asked)} />
      )}
    </details>
  );
}

/** Whether the text is empty. If the text is empty, an AI draft replaces no words of the writer. */
function isEmptyDraft({ headline, preview, body }: DraftText): boolean {
  return `${headline}${preview}${body}`.trim() === "";
}

/** A link that opens another site in a new tab, without a referrer. */
function OutLink({ href, children }: { readonly href: string; readonly children: string }) {
  return (
    <a className="link" href={href} target="_blank" rel="noreferrer">
      {children}
      <Icon name="external" className="ml-1 inline size-3" />
      <span className="sr-only">{words.onSource}</span>
    </a>
  );
}

type AnglesProps = {
  readonly found: Found;
  /** The angle whose draft is being generated. */
  readonly busy: string | undefined;
  readonly disabled: boolean;
  readonly onChoose: (angle: Angle) => void;
};

function Angles({ found, busy, disabled, onChoose }: AnglesProps) {
  return (
    <div className="grid w-full gap-3">
      {!found.freshNews && <p className="text-warn">{words.noNews}</p>}
      <ul aria-label={words.angles} className="grid">
        {found.angles.map((angle) => (
          <li
            key={angle.id}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line py-4"
          >
            <div className="grid min-w-0 flex-1 basis-72 gap-1">
              <p className="flex flex-wrap items-center gap-x-3 gap-y-1 text-xs text-quiet">
                <Badge>{words.kinds[angle.kind]}</Badge>
                {angle.kind === "headline" && (
                  <>
                    <OutLink href={angle.link}>{angle.source}</OutLink>
                    <time dateTime={angle.publishedAt}>{formatToMinute(angle.publishedAt)}</time>
                  </>
                )}
              </p>
              <p className="font-semibold">{angle.title}</p>
              <p className="text-quiet">{angle.detail}</p>
            </div>
            <Button
              size="small"
              busy={busy === angle.id}
              disabled={disabled || (busy !== undefined && busy !== angle.id)}
              onClick={() => onChoose(angle)}
            >
              {words.generate}
              <span className="sr-only">: {angle.title}</span>
            </Button>
          </li>
        ))}
      </ul>
    </div>
  );
}

type SourcesProps = { readonly generation: Generation; readonly note: string | undefined };

function Sources({ generation, note }: SourcesProps) {
  return (
    <section aria-label={words.sources} className="grid w-full gap-2 border-t border-line pt-4">
      {note !== undefined && <p className="text-warn">{note}</p>}
      <h2 className="text-sm font-semibold">{words.sources}</h2>
      <ul className="grid gap-1.5">
        {generation.sources.map(({ title, source, link }) => (
          <li key={link} className="[overflow-wrap:anywhere]">
            <OutLink href={link}>{title}</OutLink> <span className="text-quiet">{source}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}
