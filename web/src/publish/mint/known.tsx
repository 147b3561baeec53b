import { type SyntheticEvent, useState } from "react";
import { HashForm } from "../../api/form.ts";
import { mint as words } from "../../strings/publish-mint.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";
import type { Mint } from "./runner.ts";

/** For a mint that was sent elsewhere: its transaction is all that is needed. */
export function Known({ tell }: { readonly tell: Mint["tell"] }) {
  const [text, setText] = useState("");
  const [wrong, setWrong] = useState(false);
  const submit = (event: SyntheticEvent) => {
    event.preventDefault();
    const tx = HashForm.safeParse(text.trim());
    setWrong(!tx.success);
    if (tx.success) tell({ type: "sent", tx: tx.data });
  };
  return (
    <details className="rounded-2xl border border-line px-5 py-3 text-sm">
      <summary className="min-h-8 py-1 font-medium">{words.haveOne}</summary>
      <form className="grid gap-4 py-3" onSubmit={submit} noValidate>
        <p className="text-quiet">{words.haveOneLead}</p>
        <Field label={words.hash} error={wrong ? words.badHash : undefined}>
          <Input
            value={text}
            onValueChange={setText}
            className="font-mono"
            autoComplete="off"
            spellCheck={false}
          />
        </Field>
        <Button type="submit" className="justify-self-start">
          {words.confirmIt}
        </Button>
      </form>
    </details>
  );
}
