import { countWords } from "../../../../core/press/schema.ts";
import { formatInstant } from "../../format.ts";
import { editor as words } from "../../strings/publish-editor.ts";
import { Button } from "../../ui/button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { Pair, Pairs } from "../../ui/pairs.tsx";
import type { Desk } from "./desk.ts";
import type { DeskState, Saved } from "./desk-state.ts";
import { differing } from "./text.ts";

type ConflictProps = { readonly desk: Desk; readonly state: DeskState; readonly theirs: Saved };

/** Two texts of one draft: what tells them apart, and which of them goes on. */
export function Conflict({ desk, state, theirs }: ConflictProps) {
  const names = differing(state.text, theirs.text).map((name) => words.labels[name]);
  return (
    <div role="alert">
      <Notice heading={words.conflictTitle} tone="warn">
        <p>{words.conflict}</p>
        <div className="grid w-full gap-4 sm:grid-cols-2">
          <section aria-label={words.mine} className="grid content-between gap-4 rounded-xl bg-card p-4">
            <Side
              title={words.mine}
              when={words.changedAt}
              at={state.changedAt ?? theirs.updatedAt}
              headline={state.text.headline}
              body={state.text.body}
            />
            <Button look="primary" onClick={desk.keepMine}>
              {words.keepMine}
            </Button>
            <p className="text-xs text-quiet">{words.keepMineHint}</p>
          </section>
          <section aria-label={words.theirs} className="grid content-between gap-4 rounded-xl bg-card p-4">
            <Side
              title={words.theirs}
              when={words.savedAt}
              at={theirs.updatedAt}
              headline={theirs.text.headline}
              body={theirs.text.body}
            />
            <Button onClick={desk.takeTheirs}>{words.takeTheirs}</Button>
            <p className="text-xs text-quiet">{words.takeTheirsHint}</p>
          </section>
        </div>
        <p className="text-sm">
          {words.differs}: {names.length === 0 ? words.same : names.join(", ")}
        </p>
      </Notice>
    </div>
  );
}

type SideProps = {
  readonly title: string;
  readonly when: string;
  readonly at: string;
  readonly headline: string;
  readonly body: string;
};

function Side({ title, when, at, headline, body }: SideProps) {
  return (
    <div className="grid content-start gap-2">
      <h3 className="text-sm font-semibold">{title}</h3>
      <p className="font-serif font-bold">{headline}</p>
      <Pairs>
        <Pair term={when}>
          <time dateTime={at}>{formatInstant(at)}</time>
        </Pair>
        <Pair term={words.labels.body}>{words.words(countWords(body))}</Pair>
      </Pairs>
    </div>
  );
}
