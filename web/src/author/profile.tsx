import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import type { Author, Profile } from "../../../core/press/schema.ts";
import { queryAuthor as authorOf } from "../api/press.ts";
import { saveProfile } from "../api/publish.ts";
import { author as words } from "../strings/listing.ts";
import { live } from "../strings/publish.ts";
import { Button } from "../ui/button.tsx";
import { Field, Form, Input, TextArea } from "../ui/field.tsx";
import { Card } from "../ui/page.tsx";
import { Alert } from "../ui/status.tsx";

type ProfileFormProps = { readonly address: string; readonly profile: Profile | null };

/** The form with which authors change the profile text and the link on their own page. */
export function ProfileForm({ address, profile }: ProfileFormProps) {
  const client = useQueryClient();
  const [text, setText] = useState(profile?.text ?? "");
  const [link, setLink] = useState(profile?.link ?? "");
  const { mutate, error, isPending, isSuccess, reset } = useMutation({
    mutationFn: () => saveProfile(text.trim(), link.trim() === "" ? null : link.trim()),
    onSuccess: (saved) =>
      client.setQueryData(authorOf(address).queryKey, (found: Author | undefined) =>
        found === undefined ? found : { ...found, profile: saved },
      ),
  });
  const findRefusal = (field: string) =>
    error?.message.startsWith(`${field}: `) ? live.refusal(error.message) : undefined;
  return (
    <Card heading={words.edit}>
      <Form
        className="grid justify-items-start gap-4 [&>div]:w-full"
        onChange={reset}
        onSubmit={() => !isPending && mutate()}
      >
        <Field label={words.text} hint={words.textHint} error={findRefusal("text")}>
          <TextArea rows={3} value={text} onChange={({ target }) => setText(target.value)} />
        </Field>
        <Field label={words.link} hint={words.linkHint} error={findRefusal("link")}>
          <Input inputMode="url" value={link} onChange={({ target }) => setLink(target.value)} />
        </Field>
        {findRefusal("text") === undefined && findRefusal("link") === undefined && (
          <Alert>{error?.message}</Alert>
        )}
        <Button type="submit" size="small" busy={isPending}>
          {words.save}
        </Button>
        {isSuccess && (
          <p role="status" className="text-sm text-quiet">
            {words.saved}
          </p>
        )}
      </Form>
    </Card>
  );
}
