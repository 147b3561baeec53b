import type { Press } from "../../../core/press/schema.ts";
import { pressList } from "../api/press.ts";
import { type Reading, useSource } from "../api/source.ts";
import { Filters } from "../part/filters.tsx";
import { Failure, Notice } from "../part/notice.tsx";
import { PressRow } from "../part/press-row.tsx";
import { ListSkeleton } from "../part/skeleton.tsx";
import { useTitle } from "../part/title.ts";
import { navigate } from "../route.ts";
import { arrange, parseView, stocksOf, tally, type View, viewPath } from "../shelf.ts";

/** The live presses. What is searched for stands in the address, so that it can be shared and gone back to. */
export function List({ search }: { readonly search: string }) {
  useTitle();
  const view = parseView(search);
  const reading = useSource(pressList, "");
  const presses = reading.state === "ready" ? reading.value : [];
  const change = (changed: View) => navigate(viewPath(changed), "replace");
  return (
    <div className="frame page">
      <header className="intro">
        <h1>Short, audited news on tokenized stocks</h1>
        <p className="lede">
          Every press has been through an audit and carries its own identity onchain. The preview, the audit
          and the votes are free. The text is unlocked in USDG, most of it to whoever owns the press.
        </p>
      </header>
      <Filters view={view} stocks={stocksOf(presses)} onChange={change} />
      <Shelf reading={reading} view={view} onChange={change} />
    </div>
  );
}

type ShelfProps = {
  readonly reading: Reading<readonly Press[]>;
  readonly view: View;
  readonly onChange: (view: View) => void;
};

function Shelf({ reading, view, onChange }: ShelfProps) {
  if (reading.state === "failed") {
    return (
      <Failure heading="The presses could not be loaded" problem={reading.problem} retry={reading.retry} />
    );
  }
  const shown = reading.state === "ready" ? arrange(reading.value, view) : [];
  return (
    <section aria-label="Presses" aria-busy={reading.state === "loading"}>
      <p className="tally" role="status">
        {reading.state === "loading" ? "Loading presses…" : tally(reading.value.length, shown.length)}
      </p>
      {reading.state === "loading" && <ListSkeleton />}
      {reading.state === "ready" && reading.value.length === 0 && (
        <Notice heading="No presses yet">
          <p>The first one appears here as soon as its publisher has minted it.</p>
        </Notice>
      )}
      {reading.state === "ready" && reading.value.length > 0 && shown.length === 0 && (
        <Notice heading="Nothing matches">
          <p>No press fits this search.</p>
          <button type="button" onClick={() => onChange({ ...view, words: "", stock: undefined })}>
            Show all presses
          </button>
        </Notice>
      )}
      <ul className="shelf">
        {shown.map((press) => (
          <PressRow key={press.id} press={press} />
        ))}
      </ul>
    </section>
  );
}
