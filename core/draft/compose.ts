import type { Clock } from "../port/clock.ts";
import type { Writer, Written } from "../port/writer.ts";
import { copiedFrom } from "./copied.ts";
import { modelUnavailable } from "./error.ts";
import { inventedLink } from "./links.ts";
import type { Draft, Task } from "./schema.ts";

/** Milliseconds below which a second try is not worth the wait. */
const shortest = 4_000;

/**
 * Has a draft written that keeps the limits of specification §2.9, in words of its own, with its sources' links and no
 * others. A draft that does not is asked for once more, with the reason. Throws `upstream` `model_unavailable`.
 *
 * @param deadline milliseconds since the epoch
 */
export async function compose(
  { writer, clock }: { readonly writer: Writer; readonly clock: Clock },
  task: Task,
  deadline: number,
): Promise<Draft> {
  const first = judged(await writer.write(task, Math.max(0, deadline - clock.now())), task);
  if (first.draft !== undefined) return first.draft;
  const left = deadline - clock.now();
  if (left < shortest) throw unusable(first.fault);
  const second = judged(await writer.write({ ...task, refused: first.fault }, left), task);
  if (second.draft !== undefined) return second.draft;
  throw unusable(second.fault);
}

function judged(written: Written, { facts: { sources } }: Task): Written {
  if (written.draft === undefined) return written;
  const original = copiedFrom(written.draft, sources);
  if (original !== undefined) {
    return { fault: `Twelve or more words in a row are those of ${original.source} (${original.link}).` };
  }
  const invented = inventedLink(written.draft, sources);
  return invented === undefined ? written : { fault: `The link ${invented} is none of the sources.` };
}

function unusable(fault: string) {
  return modelUnavailable(new Error(`The model's draft is not usable: ${fault}`));
}
