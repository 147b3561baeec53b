import type * as z from "zod";

/** Something that survives a reload, under a key of its own in this browser. */
type Kept<T> = {
  /** What is kept; `undefined` for nothing, and for what an older version of the site left in another form. */
  readonly read: (key: string) => T | undefined;
  /** Throws `NotKept` where the browser keeps nothing: a caller that must not lose it has to stop then. */
  readonly write: (key: string, value: T) => void;
  readonly remove: (key: string) => void;
  /** Every key and value of this kind. */
  readonly all: () => readonly (readonly [key: string, value: T])[];
};

/** This browser does not let the site remember anything: private mode, blocked storage, or no room left. */
export class NotKept extends Error {
  override readonly name = "NotKept";
}

/** A drawer of `localStorage`. `form` must read what JSON leaves of the value. */
export function kept<T>(name: string, form: z.ZodType<T>): Kept<T> {
  const prefix = `${name}:`;
  const read = (key: string) =>
    parse(
      form,
      attempt(() => localStorage.getItem(prefix + key)),
    );
  return {
    read,
    write(key, value) {
      try {
        localStorage.setItem(prefix + key, JSON.stringify(value));
      } catch (cause) {
        throw new NotKept("This browser keeps nothing for this site.", { cause });
      }
    },
    remove: (key) => void attempt(() => localStorage.removeItem(prefix + key)),
    all: () =>
      keys()
        .filter((key) => key.startsWith(prefix))
        .flatMap((key) => {
          const value = read(key.slice(prefix.length));
          return value === undefined ? [] : [[key.slice(prefix.length), value] as const];
        }),
  };
}

function keys(): readonly string[] {
  return (
    attempt(() => Array.from({ length: localStorage.length }, (_, at) => localStorage.key(at) ?? "")) ?? []
  );
}

/** A browser that blocks storage throws at every touch; for reading that means: there is nothing. */
function attempt<T>(touch: () => T): T | undefined {
  try {
    return touch();
  } catch (error) {
    if (error instanceof DOMException) return undefined;
    throw error;
  }
}

function parse<T>(form: z.ZodType<T>, text: string | null | undefined): T | undefined {
  if (text === null || text === undefined) return undefined;
  try {
    const parsed = form.safeParse(JSON.parse(text));
    return parsed.success ? parsed.data : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
