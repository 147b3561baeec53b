import * as z from "zod";

/** The maximum number of manuscripts per wallet. */
export const mostManuscripts = 100;

/** The maximum size of a manuscript, in bytes of its JSON in UTF-8. The maximum is half of the size limit for a table item. */
export const manuscriptBytes = 200 * 1024;

/** A manuscript's name. The writer's program generates the name; no person chooses it. */
const ManuscriptName = z
  .string()
  .regex(/^[0-9a-z-]{1,40}$/, "must be 1 to 40 digits, small letters and hyphens");

/** The time of the last change, in ISO 8601 UTC and exactly as the service has returned it. */
const Version = z.iso.datetime();

/**
 * The AI draft from which the text was made. The text is stored together with the AI draft from which it was made, so that the AI mark and
 * the draft's sources are not lost.
 */
const Generation = z.object({
  id: z.int(),
  stock: z.string().max(20),
  sources: z
    .array(
      z.object({
        title: z.string(),
        source: z.string(),
        link: z.url({ protocol: /^https?$/ }),
      }),
    )
    .max(20)
    .readonly(),
});

const contents = {
  stock: z.string(),
  headline: z.string(),
  preview: z.string(),
  body: z.string(),
  publisherName: z.string(),
  priceText: z.string().describe("The price as the writer typed it, even if it is not a valid number yet."),
  generation: Generation.optional().describe("The AI draft that the text came from."),
  base: Version.optional().describe(
    "If the text is an edited version of a saved draft: the time at which this draft was last changed.",
  ),
};

/** A writer's unfinished text. The text may break the rules for saving a press. */
export const Contents = z.object(contents);
export type Contents = Readonly<z.infer<typeof Contents>>;

/**
 * The request to store a text as a manuscript. A request without `updatedAt` stores a new text and never overwrites an existing manuscript.
 */
export const SaveManuscriptInput = z
  .object({
    name: ManuscriptName,
    ...contents,
    updatedAt: Version.optional().describe("The version that the text is based on; omit it for a new text."),
  })
  .superRefine((input, context) => {
    const bytes = new TextEncoder().encode(encodeContents(input)).length;
    if (bytes > manuscriptBytes)
      context.addIssue(`may have at most ${manuscriptBytes} bytes, and has ${bytes}`);
  });
export type SaveManuscriptInput = Readonly<z.infer<typeof SaveManuscriptInput>>;

/** The name of a manuscript, and the version of the manuscript that the client has seen. */
export const ManuscriptVersion = z.object({ name: ManuscriptName, updatedAt: Version });
export type ManuscriptVersion = Readonly<z.infer<typeof ManuscriptVersion>>;

export const Kept = z.object({ updatedAt: Version });
export type Kept = Readonly<z.infer<typeof Kept>>;

/** If `updatedAt` is missing, the manuscript is deleted, whatever its version is. */
export const DiscardInput = z.object({ name: ManuscriptName, updatedAt: Version.optional() });
export type DiscardInput = Readonly<z.infer<typeof DiscardInput>>;

export const Discarded = z.object({ discarded: z.literal(true) });

/** A manuscript in a list. */
export const ManuscriptEntry = z.object({
  name: z.string(),
  headline: z.string().describe("Cut short."),
  stock: z.string(),
  updatedAt: Version,
});
export type ManuscriptEntry = Readonly<z.infer<typeof ManuscriptEntry>>;

/** A manuscript in full, or the press that it has become. */
export const Manuscript = z.object({
  name: z.string(),
  updatedAt: Version,
  press: z.int().nullable().describe("The press that the text has become; this press contains the text now."),
  contents: Contents.nullable(),
});
export type Manuscript = Readonly<z.infer<typeof Manuscript>>;

/** The stored fields of a text, as JSON. JSON can hold any string, even a string with half a surrogate pair. */
export function encodeContents(input: Contents): string {
  const fields = Object.keys(contents);
  return JSON.stringify(Object.fromEntries(Object.entries(input).filter(([name]) => fields.includes(name))));
}
