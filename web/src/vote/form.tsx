import { useState } from "react";
import type { Press } from "../../../core/press/schema.ts";
import { VoteTag, type VoteValue } from "../../../core/vote/schema.ts";
import { pressPath } from "../site.ts";
import { vote as words } from "../strings/vote.ts";
import { Button } from "../ui/button.tsx";
import { Choice } from "../ui/choice.tsx";
import { Select } from "../ui/select.tsx";
import { useVote } from "./use-vote.tsx";

const values = [
  { value: "1", label: words.up, icon: "up" },
  { value: "-1", label: words.down, icon: "down" },
] as const;
const tagOptions = VoteTag.options.map((value) => ({
  value,
  label: value === "" ? words.noTag : words.tagName(value),
}));

/** Up or down, in a word, onchain. A vote that was sent before is counted first. */
export function VoteForm({ press }: { readonly press: Press }) {
  const [value, setValue] = useState<VoteValue>(1);
  const [tag, setTag] = useState<VoteTag>("");
  const { step, failure, done, unfinished, vote, reset, dialog } = useVote(press);
  if (done) {
    return (
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p role="status">{words.done}</p>
        <Button onClick={reset}>{words.again}</Button>
      </div>
    );
  }
  const ballot = {
    pressId: press.pressId,
    url: window.location.origin + pressPath(press.slug),
    value,
    tag,
  };
  return (
    <div className="grid gap-4">
      <p className="text-sm text-quiet">{unfinished ? words.unfinished : words.lead}</p>
      <div className="flex flex-wrap items-center gap-3">
        {!unfinished && (
          <>
            <Choice
              label={words.value}
              value={value === 1 ? "1" : "-1"}
              options={values}
              onChange={(chosen) => setValue(chosen === "1" ? 1 : -1)}
            />
            <Select label={words.tag} value={tag} options={tagOptions} onChange={setTag} />
          </>
        )}
        <Button look="primary" busy={step !== undefined} onClick={() => void vote(ballot)}>
          {step === undefined ? (unfinished ? words.goOn : words.cast) : words.steps[step]}
        </Button>
      </div>
      {failure !== undefined && (
        <p role="alert" className="text-sm text-bad">
          {failure}
        </p>
      )}
      {dialog}
    </div>
  );
}
