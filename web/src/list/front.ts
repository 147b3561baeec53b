import type { ListedPress } from "../../../core/press/schema.ts";

const day = 24 * 60 * 60 * 1000;

/** Presses of a part of the first page at most. */
const most = 4;

/** Fewer presses than these are a first page by themselves. */
export const leastForParts = 4;

/** The parts of the first page that are the same for everybody. */
export type Front = {
  readonly lead: ListedPress | undefined;
  /** Of the last seven days, those that were read at all, most first. */
  readonly read: readonly ListedPress[];
  /** Of the last seven days, those that more voters liked than not, best first. */
  readonly rated: readonly ListedPress[];
};

/**
 * What stands above the list. The lead is the press of the last three days, else of the newest ten, that readers made most
 * of: a paid read counts one, a vote three. Equal ones stand by their audits' scores, then the newest first. `presses` come
 * newest first; `now` is in milliseconds.
 */
export function frontOf(presses: readonly ListedPress[], now: number): Front {
  const since = (days: number) =>
    presses.filter(({ publishedAt }) => Date.parse(publishedAt) > now - days * day);
  const recent = since(3).length > 0 ? since(3) : presses.slice(0, 10);
  const week = since(7);
  return {
    lead: best(recent, (press) => press.reads + 3 * balance(press))[0],
    read: best(week, ({ reads }) => reads).filter(({ reads }) => reads > 0),
    rated: best(week, balance).filter((press) => balance(press) > 0),
  };
}

function balance({ votes }: ListedPress): number {
  return votes.up - votes.down;
}

function best(presses: readonly ListedPress[], of: (press: ListedPress) => number): readonly ListedPress[] {
  return presses
    .toSorted((one, other) => of(other) - of(one) || other.auditScore - one.auditScore)
    .slice(0, most);
}
