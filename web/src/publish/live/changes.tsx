import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { DashboardPress } from "../../../../core/press/schema.ts";
import { changePrice, correctPress, unlistPress } from "../../api/publish.ts";
import { Notes } from "../../press/aside.tsx";
import { live as words } from "../../strings/publish.ts";
import { Button } from "../../ui/button.tsx";
import { Field, Form, Input, TextArea } from "../../ui/field.tsx";
import { Card } from "../../ui/page.tsx";
import { Alert } from "../../ui/status.tsx";
import { formatPrice, parsePrice, parseUnits } from "../editor/text.ts";

/** The controls with which authors change a live press: corrections, the price, and whether the press is on sale. */
export function Changes({ press }: { readonly press: DashboardPress }) {
  const { id, priceUnits, priceUsdg, unlistedAt } = press;
  const isListed = unlistedAt === null;
  const [note, setNote] = useState("");
  const [price, setPrice] = useState(formatPrice(priceUsdg));
  return (
    <Card heading={words.changes}>
      <div className="grid gap-6">
        <Notes press={press} />
        <Change name={words.addNote} change={() => correctPress(id, note.trim())} onDone={() => setNote("")}>
          {(error) => (
            <Field label={words.note} hint={words.noteHint} error={error}>
              <TextArea rows={3} value={note} onChange={({ target }) => setNote(target.value)} />
            </Field>
          )}
        </Change>
        <Change
          name={words.setPrice}
          change={async () => {
            if (parseUnits(price) === priceUnits) throw new Error(words.samePrice);
            await changePrice(id, parsePrice(price));
          }}
        >
          {(error) => (
            <Field label={words.newPrice} hint={words.priceHint} error={error}>
              <Input inputMode="decimal" value={price} onChange={({ target }) => setPrice(target.value)} />
            </Field>
          )}
        </Change>
        <Change name={isListed ? words.unlist : words.list} change={() => unlistPress(id, isListed)}>
          {(error) => (
            <div className="grid gap-1.5 text-sm">
              <p className="text-quiet">{isListed ? words.unlistHint : words.listHint}</p>
              <Alert>{error}</Alert>
            </div>
          )}
        </Change>
      </div>
    </Card>
  );
}

type ChangeProps = {
  /** The button's text. */
  readonly name: string;
  readonly change: () => Promise<unknown>;
  readonly onDone?: () => void;
  /** Renders the part of the form above the button. `error` is the service's reason for refusing the change. */
  readonly children: (error: string | undefined) => ReactNode;
};

function Change({ name, change, onDone, children }: ChangeProps) {
  const client = useQueryClient();
  const { mutate, error, isPending, isSuccess, reset } = useMutation({
    mutationFn: change,
    async onSuccess() {
      onDone?.();
      await client.invalidateQueries();
    },
  });
  return (
    <Form
      className="grid justify-items-start gap-3 [&>*:first-child]:w-full"
      onSubmit={() => !isPending && mutate()}
      // The message about the last change must not stand beside words that are not sent yet.
      onInput={() => isSuccess && reset()}
    >
      {children(error === null ? undefined : words.refusal(error.message))}
      <Button type="submit" size="small" busy={isPending}>
        {name}
      </Button>
      {isSuccess && (
        <p role="status" className="text-sm text-quiet">
          {words.changed}
        </p>
      )}
    </Form>
  );
}
