import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import type { Press } from "../../../core/press/schema.ts";
import { pressList } from "../api/press.ts";
import { list as words } from "../strings/list.ts";
import { Button } from "../ui/button.tsx";
import { Failure, Notice } from "../ui/notice.tsx";
import { Page } from "../ui/page.tsx";
import { Filters } from "./filters.tsx";
import { ListSkeleton } from "./list-skeleton.tsx";
import { PressRow } from "./press-row.tsx";
import { arrange, paramsOf, stocksOf, tally, type View, viewOf } from "./shelf.ts";

const route = getRouteApi("/");

/** The live presses. What is searched for stands in the address, so that it can be shared and gone back to. */
export function ListPage() {
  const view = viewOf(route.useSearch());
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(pressList);
  const change = (changed: View) =>
    void navigate({ search: paramsOf(changed), replace: true, resetScroll: false });
  return (
    <Page heading={words.title} lead={words.lead}>
      <div className="grid gap-5">
        <Filters view={view} stocks={stocksOf(data ?? [])} onChange={change} />
        {data === undefined && error !== null ? (
          <Failure heading={words.failed} error={error} retry={() => void refetch()} />
        ) : (
          <Shelf presses={data} view={view} onChange={change} />
        )}
      </div>
    </Page>
  );
}

type ShelfProps = {
  /** `undefined` while they are on their way. */
  readonly presses: readonly Press[] | undefined;
  readonly view: View;
  readonly onChange: (view: View) => void;
};

function Shelf({ presses, view, onChange }: ShelfProps) {
  const shown = arrange(presses ?? [], view);
  return (
    <section aria-label={words.presses} aria-busy={presses === undefined} className="grid gap-4">
      <p role="status" className="text-sm text-quiet">
        {presses === undefined ? words.loading : tally(presses.length, shown.length)}
      </p>
      {presses === undefined && <ListSkeleton />}
      {presses?.length === 0 && (
        <Notice heading={words.emptyTitle}>
          <p>{words.empty}</p>
        </Notice>
      )}
      {presses !== undefined && presses.length > 0 && shown.length === 0 && (
        <Notice heading={words.nothingTitle}>
          <p>{words.nothing}</p>
          <Button onClick={() => onChange({ ...view, words: "", stock: undefined })}>{words.showAll}</Button>
        </Notice>
      )}
      {shown.length > 0 && (
        <ul className="grid gap-4">
          {shown.map((press) => (
            <PressRow key={press.id} press={press} />
          ))}
        </ul>
      )}
    </section>
  );
}
