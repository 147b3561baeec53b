import { useState } from "react";
import { formatMoment } from "../../format.ts";
import { common } from "../../strings/common.ts";
import { publish as words } from "../../strings/publish.ts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { type LocalDraft, localDrafts } from "../editor/copies.ts";
import { discardLocal } from "../editor/desks.ts";

/** Texts that stand in this browser only, because they were never fit to be saved. */
export function LocalDrafts({ wallet }: { readonly wallet: string }) {
  const [drafts, setDrafts] = useState(() => localDrafts(wallet));
  const [asked, setAsked] = useState<LocalDraft>();
  if (drafts.length === 0) return null;
  const discard = ({ local }: LocalDraft) => {
    discardLocal(wallet, local);
    setDrafts(localDrafts(wallet));
    setAsked(undefined);
  };
  return (
    <section aria-labelledby="unsaved" className="grid gap-4">
      <div className="grid gap-1">
        <h2 id="unsaved" className="text-title">
          {words.unsavedTitle}
        </h2>
        <p className="text-sm text-quiet">{words.unsaved}</p>
      </div>
      <ul className="rounded-2xl border border-dashed border-edge">
        {drafts.map((draft) => (
          <li
            key={draft.local}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-3 border-t border-line p-5 first:border-t-0"
          >
            <div className="grid min-w-0 gap-1">
              <p className="font-serif text-lg font-bold">{titleOf(draft)}</p>
              <p className="text-xs text-quiet">{words.changed(formatMoment(draft.copy.changedAt))}</p>
            </div>
            <div className="flex flex-wrap gap-2">
              <ButtonLink to="/publish/edit" search={{ draft: draft.local }}>
                {words.continueWriting}
                <span className="sr-only">{words.about(titleOf(draft))}</span>
              </ButtonLink>
              <Button look="plain" onClick={() => setAsked(draft)}>
                {words.discard}
                <span className="sr-only">{words.about(titleOf(draft))}</span>
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {asked !== undefined && (
        <Dialog open onClose={() => setAsked(undefined)} title={words.discardTitle} lead={words.discardLead}>
          <div className="flex flex-wrap justify-end gap-3">
            <Button onClick={() => setAsked(undefined)}>{common.cancel}</Button>
            <Button look="danger" onClick={() => discard(asked)}>
              {words.discard}
            </Button>
          </div>
        </Dialog>
      )}
    </section>
  );
}

function titleOf({ copy }: LocalDraft): string {
  const headline = copy.text.headline.trim();
  return headline === "" ? words.untitled : headline;
}
