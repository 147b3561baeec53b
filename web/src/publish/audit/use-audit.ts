import { useMutation, useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { type AuditedPress, auditPress, dashboard, ownPress } from "../../api/publish.ts";
import { ApiProblem, queryClient } from "../../api/request.ts";
import { audit as words } from "../../strings/publish.ts";
import type { Desk } from "../editor/desk.ts";
import { isUnsaved } from "../editor/desk.ts";

/** The text could not be saved, and so not be audited: the editor tells why. */
class NotSaved extends Error {
  override readonly name = "NotSaved";
}

/** Milliseconds between two looks for the result of an audit that runs elsewhere. */
const lookEvery = 2_500;

/** Runs audits of what is on a desk, which stands still meanwhile. */
export function useAudit(desk: Desk, own: AuditedPress | undefined) {
  const elsewhere = useElsewhere(own);
  const { mutate, error, isPending } = useMutation({
    mutationFn: () => audit(desk),
    onError: (problem) => {
      if (problem instanceof ApiProblem && problem.code === "audit_running") elsewhere.wait();
    },
  });
  return {
    run: () => mutate(),
    error: elsewhere.waiting ? null : error,
    isPending,
    elsewhere: elsewhere.waiting,
  };
}

async function audit(desk: Desk): Promise<void> {
  await desk.flush();
  const { id } = desk.state();
  if (id === undefined || isUnsaved(desk.state())) throw new NotSaved(words.unsaved);
  desk.lock(true);
  try {
    const { status, audit, metaUrl } = await auditPress(id);
    queryClient.setQueryData(ownPress(id).queryKey, (known) =>
      known === undefined
        ? undefined
        : {
            ...known,
            audit,
            metaUrl: status === "approved" ? metaUrl : null,
            auditCount: known.auditCount + 1,
            press: { ...known.press, status, auditScore: audit.score },
          },
    );
  } finally {
    desk.lock(false);
    // Whatever came of it, the service knows: a run whose answer was lost may have been stored.
    void queryClient.invalidateQueries({ queryKey: ownPress(id).queryKey });
    void queryClient.invalidateQueries({ queryKey: dashboard.queryKey });
  }
}

/** An audit that another tab, or this one before it was loaded again, has begun: its result is looked for until it is there. */
function useElsewhere(own: AuditedPress | undefined) {
  const [since, setSince] = useState<string>();
  const id = own?.press.id;
  // Not by the count: a run counts as soon as the model is asked.
  const latest = own?.audit?.auditedAt ?? "none";
  const waiting = since === latest;
  useQuery({ ...ownPress(id ?? 0), enabled: waiting, refetchInterval: lookEvery });
  useEffect(() => {
    if (!waiting) return;
    // No run takes as long: it came to nothing.
    const timer = setTimeout(() => setSince(undefined), 40_000);
    return () => clearTimeout(timer);
  }, [waiting]);
  return { waiting, wait: () => setSince(latest) };
}
