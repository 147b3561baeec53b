import { useDeferredValue, useMemo } from "react";
import {
  countBytes,
  countCharacters,
  countWords,
  limits,
  minutesToRead,
} from "../../../../core/press/schema.ts";
import { editor as words } from "../../strings/publish-editor.ts";
import { classes } from "../../ui/classes.ts";

type Range = { readonly min: number; readonly max: number };

/** How much of a limit is used, counted as a save counts. */
export function CharacterCounter({ text, range }: { readonly text: string; readonly range: Range }) {
  const used = countCharacters(text.trim());
  const short = used < range.min && range.min > 1;
  return (
    <Count over={used > range.max}>
      {short ? words.charactersShort(used, range.min) : words.characters(used, range.max)}
    </Count>
  );
}

/** Words, minutes and, once it matters, bytes of a text. A long one is counted after the keys have been answered. */
export function BodyCounter({ text }: { readonly text: string }) {
  const settled = useDeferredValue(text);
  const { minWords, maxBytes } = limits.body;
  const used = useMemo(() => countWords(settled), [settled]);
  const bytes = useMemo(() => countBytes(settled), [settled]);
  if (bytes > maxBytes / 2) return <Count over={bytes > maxBytes}>{words.size(bytes, maxBytes)}</Count>;
  return (
    <Count>
      {used < minWords
        ? words.wordsShort(used, minWords)
        : `${words.words(used)}, ${words.minutes(minutesToRead(used))}`}
    </Count>
  );
}

function Count({ over = false, children }: { readonly over?: boolean; readonly children: string }) {
  return (
    <span className={classes("figure text-right text-xs", over ? "font-semibold text-bad" : "text-quiet")}>
      {children}
    </span>
  );
}
