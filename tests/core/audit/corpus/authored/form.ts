import type { Article } from "../desk.ts";

/** An article with one fault, and what an editor would have printed in its place. */
export type Authored = Article & {
  readonly name: string;
  /** The publisher's name, where it is part of the draft. */
  readonly byline?: string;
  /** A passage that stands once in headline, preview, byline or body. */
  readonly fault: string;
  readonly clean: string;
};
