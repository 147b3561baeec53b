import { getRouteApi, Navigate } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { AuditedPress } from "../../api/publish.ts";
import { editor as words } from "../../strings/publish-editor.ts";
import { Assist } from "../assist/assist.tsx";
import { AuditPanel } from "../audit/panel.tsx";
import { Approval } from "./approval.tsx";
import { BodyField } from "./body-field.tsx";
import type { Desk } from "./desk.ts";
import { isUnsaved } from "./desk-state.ts";
import { useDesk } from "./desks.ts";
import { Disclosure } from "./disclosure.tsx";
import { LineField, PriceField, StockField } from "./fields.tsx";
import { SaveState } from "./save-state.tsx";
import { SaveTrouble } from "./save-trouble.tsx";
import { useFaults } from "./use-faults.ts";
import { useFieldMap } from "./use-field-map.ts";
import { useLeaving } from "./use-leaving.ts";

const route = getRouteApi("/publish/edit");

type WorkbenchProps = {
  readonly desk: Desk;
  /** What the service says of the press, once it has an id and that is read. */
  readonly own: AuditedPress | undefined;
};

/** The editor: the fields on one side, the audit on the other. */
export function Workbench({ desk, own }: WorkbenchProps) {
  const state = useDesk(desk);
  const navigate = route.useNavigate();
  const { id: shown } = route.useSearch();
  const { id } = state;
  const [reopened, setReopened] = useState(false);
  const { all, faults, touch, showAll } = useFaults(state);
  const fields = useFieldMap();
  useLeaving(desk);
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
  const readOnly = state.locked || (approved && !reopened && !isUnsaved(state));
  const field = { desk, state, faults, touch, readOnly };
  return (
    <div className="grid gap-x-10 gap-y-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
      <form
        aria-label={words.form}
        className="grid min-w-0 content-start gap-6"
        onSubmit={(event) => event.preventDefault()}
      >
        <SaveState state={state} own={own} faults={all} />
        <SaveTrouble desk={desk} state={state} />
        {approved && own !== undefined && (
          <Approval own={own} locked={readOnly} onReopen={() => setReopened(true)} />
        )}
        <StockField {...field} />
        {!(approved && readOnly) && (
          <Assist
            desk={desk}
            state={state}
            readOnly={readOnly}
            onWritten={() => fields.headline.element()?.focus()}
          />
        )}
        <LineField name="headline" {...field} control={fields.headline} />
        <LineField name="preview" {...field} control={fields.preview} />
        <BodyField {...field} control={fields.body} />
        <Disclosure desk={desk} state={state} own={own} readOnly={readOnly} />
        <div className="grid items-start gap-6 sm:grid-cols-2">
          <LineField name="publisherName" {...field} />
          <PriceField {...field} />
        </div>
      </form>
      <AuditPanel desk={desk} state={state} own={own} fields={fields} onFaults={showAll} />
    </div>
  );
}
