import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useEffect } from "react";
import { dashboard, ownPress } from "../../api/publish.ts";
import { editor as words } from "../../strings/publish-editor.ts";
import { Page } from "../../ui/page.tsx";
import { PublisherGate } from "../gate.tsx";
import { OwnPressFailure, OwnPressLoading } from "../own-query.tsx";
import { newName } from "./copies.ts";
import { deskOf, newDesk, openDesk, savedOf } from "./desks.ts";
import { Workbench } from "./workbench.tsx";

const route = getRouteApi("/publish/edit");

/** Writing a press: a saved one by its id, else one that only this browser knows yet, by the name that it gave it. */
export function EditorPage() {
  const { id, draft } = route.useSearch();
  const navigate = route.useNavigate();
  const named = id !== undefined || draft !== undefined;
  useEffect(() => {
    if (!named) void navigate({ search: { draft: newName() }, replace: true, resetScroll: false });
  }, [named, navigate]);
  return (
    <Page title={id === undefined ? words.newTitle : words.title}>
      <PublisherGate>
        {(wallet) => named && <Draft wallet={wallet} id={id} local={draft ?? ""} />}
      </PublisherGate>
    </Page>
  );
}

type DraftProps = { readonly wallet: string; readonly id: string | undefined; readonly local: string };

function Draft({ wallet, id, local }: DraftProps) {
  const number = id === undefined ? undefined : Number(id);
  const { data, error, refetch } = useQuery({ ...ownPress(number ?? 0), enabled: number !== undefined });
  const latest = useQuery(dashboard).data?.presses[0];
  const defaults = latest === undefined ? {} : { publisherName: latest.publisherName };
  const desk =
    number === undefined
      ? newDesk(wallet, local, defaults)
      : data === undefined
        ? openDesk(wallet, number)
        : deskOf(wallet, data);
  useEffect(() => {
    if (data !== undefined) desk?.refresh(savedOf(data));
  }, [desk, data]);
  if (desk !== undefined) return <Workbench key={desk.state().local} desk={desk} own={data} />;
  if (error !== null) {
    return <OwnPressFailure heading={words.failed} error={error} retry={() => void refetch()} />;
  }
  return <OwnPressLoading>{words.loading}</OwnPressLoading>;
}
