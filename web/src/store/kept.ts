import type * as z from "zod";

/** A value that survives a reload, under its own key in this browser. */
type Kept<T> = {
  /**
   * The stored value; `undefined` if there is none, or if an older version of the site stored another form.
   */
  readonly read: (key: string) => T | undefined;
  /** Throws `NotKept` if the browser stores nothing. A caller that must not lose the value must stop then. */
  readonly write: (key: string, value: T) => void;
  readonly remove: (key: string) => void;
  /** Every key and value of this kind. */
  readonly all: () => readonly (readonly [key: string, value: T])[];
};

/** This browser does not let the site store anything: private mode, blocked storage, or no space left. */
export class NotKept extends Error {
  override readonly name = "NotKept";
}

/** A drawer of `localStorage`. `form` must accept the value's JSON. */
export function openDrawer<T>(name: string, form: z.ZodType<T>): Kept<T> {
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
        throw new NotKept("This browser stores nothing for this site.", { cause });
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

/** A browser that blocks storage throws at every access, which means for a read that nothing is stored. */
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
