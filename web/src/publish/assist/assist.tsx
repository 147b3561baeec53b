import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Angle } from "../../../../core/draft/schema.ts";
import { findAngles, generateDraft } from "../../api/publish.ts";
import { editor, assist as words } from "../../strings/publish.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icon.tsx";
import type { Desk, DeskState, Generation } from "../editor/desk.ts";
import type { Text } from "../editor/text.ts";
import { Angles } from "./angles.tsx";
import { AssistProblem } from "./problem.tsx";
import { ReplaceDialog } from "./replace-dialog.tsx";
import { Sources } from "./sources.tsx";

type AssistProps = {
  readonly desk: Desk;
  readonly state: DeskState;
  readonly readOnly: boolean;
  /** A draft stands in the editor. */
  readonly onWritten: () => void;
};
type Former = { readonly text: Text; readonly generation: Generation | undefined };

/** An AI's help to begin with: angles on the stock, and a draft on one of them. */
export function Assist({ desk, state, readOnly, onWritten }: AssistProps) {
  const { text, generation } = state;
  const { stock } = text;
  const [open, setOpen] = useState(isEmpty(text));
  const [asked, setAsked] = useState<Angle>();
  const [former, setFormer] = useState<Former>();
  const angles = useMutation({ mutationFn: findAngles });
  const draft = useMutation({
    mutationFn: ({ id }: Angle) => generateDraft(stock, id),
    onSuccess: ({ draft, generationId, sources }) => {
      const before = desk.state();
      setFormer({ text: before.text, generation: before.generation });
      desk.replace({ ...before.text, ...draft, stock }, { id: generationId, stock, sources });
      // At once, so that the label is the press's whatever becomes of the text.
      void desk.flush();
      angles.reset();
      onWritten();
    },
  });
  const found = angles.variables === stock ? angles.data : undefined;
  const remaining = draft.data?.remaining ?? found?.remaining;
  const write = (angle: Angle) => {
    setAsked(undefined);
    setFormer(undefined);
    draft.mutate(angle);
  };
  const choose = (angle: Angle) => (isEmpty(text) ? write(angle) : setAsked(angle));
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
            busy={draft.isPending ? draft.variables.id : undefined}
            disabled={readOnly || remaining === 0}
            onChoose={choose}
          />
        )}
        {draft.isPending && <p role="status">{words.generating}</p>}
        {draft.error !== null && (
          <AssistProblem
            title={words.failedDraft}
            error={draft.error}
            counted={false}
            onSignedIn={() => draft.mutate(draft.variables)}
          />
        )}
        {former !== undefined && (
          <div className="flex flex-wrap items-center gap-3">
            <p role="status">{words.done}</p>
            {!isEmpty(former.text) && !readOnly && (
              <Button
                size="small"
                onClick={() => {
                  desk.replace(former.text, former.generation);
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

/** Whether there is nothing yet that a draft would replace. */
function isEmpty({ headline, preview, body }: Text): boolean {
  return `${headline}${preview}${body}`.trim() === "";
}
