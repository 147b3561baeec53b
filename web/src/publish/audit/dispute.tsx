import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { type Dispute, longestDispute } from "../../../../core/audit/schema.ts";
import { disputeFinding, ownPress } from "../../api/publish.ts";
import { queryClient } from "../../api/request.ts";
import { Disputed } from "../../press/audit.tsx";
import { audit as words } from "../../strings/publish.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";

type DisputingProps = {
  /** The press, its report, and the finding's place in it. */
  readonly id: number;
  readonly auditedAt: string;
  readonly issue: number;
  readonly dispute: Dispute | undefined;
};

/** A publisher's answer to a finding: to give, to change and to take back. */
export function Disputing({ id, auditedAt, issue, dispute }: DisputingProps) {
  const [text, setText] = useState<string>();
  const { mutate, error, isPending } = useMutation({
    mutationFn: (answer: string | null) => disputeFinding({ id, auditedAt, issue, text: answer }),
    onSuccess: ({ disputes }) => {
      queryClient.setQueryData(ownPress(id).queryKey, (known) =>
        known?.audit?.auditedAt === auditedAt ? { ...known, audit: { ...known.audit, disputes } } : known,
      );
      setText(undefined);
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (text !== undefined && text.trim() !== "" && !isPending) mutate(text);
  };
  if (text === undefined) {
    return (
      <div className="grid justify-items-start gap-1.5">
        {dispute !== undefined && <Disputed text={dispute.text} />}
        <span className="flex flex-wrap gap-2">
          <Button look="plain" size="small" onClick={() => setText(dispute?.text ?? "")}>
            {dispute === undefined ? words.dispute : words.changeDispute}
          </Button>
          {dispute !== undefined && (
            <Button look="plain" size="small" busy={isPending} onClick={() => mutate(null)}>
              {words.endDispute}
            </Button>
          )}
        </span>
        {error !== null && (
          <p role="alert" className="text-bad">
            {error.message}
          </p>
        )}
      </div>
    );
  }
  return (
    <form onSubmit={submit} className="grid w-full gap-2">
      <Field label={words.disputeLabel} hint={words.disputeHint} error={error?.message}>
        <Input
          value={text}
          maxLength={longestDispute}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </Field>
      <span className="flex flex-wrap gap-2">
        <Button type="submit" look="secondary" size="small" busy={isPending}>
          {words.saveDispute}
        </Button>
        <Button look="plain" size="small" onClick={() => setText(undefined)}>
          {words.leaveDispute}
        </Button>
      </span>
    </form>
  );
}
