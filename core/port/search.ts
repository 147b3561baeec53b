import type { Address } from "../chain/hex.ts";

/** What a live press is found by. */
export type Entry = {
  readonly id: number;
  readonly publishedAt: string;
  readonly headline: string;
  readonly preview: string;
  readonly publisher: Address;
  readonly publisherName: string;
  /** Its ticker, and whatever else readers call the company. */
  readonly stock: string;
  readonly company: string;
};

/** Every word has to occur, in one of its forms. `inTitle`: in the headline, the byline or the company's names. */
export type Wanted = {
  readonly words: readonly { readonly text: string; readonly isPrefix: boolean }[];
  readonly inTitle: boolean;
  readonly stock?: string | undefined;
  readonly limit: number;
};

export type FoundAuthor = { readonly address: Address; readonly name: string };

/** Presses prepared for searching. Everything in it is public. */
export type SearchIndex = {
  /** When the newest press in it went live: ISO 8601; `undefined` while there is none. */
  readonly upTo: string | undefined;
  /** Ids of presses, the newest first. */
  find(wanted: Wanted): readonly number[];
  /** Authors one of whose bylines has all the words, those with most presses first. */
  authors(words: readonly string[], limit: number): readonly FoundAuthor[];
  /** The most frequent word that a slip of the hand could have made this one of. */
  near(word: string): string | undefined;
};

/** An index that takes presses. They come oldest first; it answers whether any was new to it. */
export type GrowingIndex = SearchIndex & { readonly add: (entries: readonly Entry[]) => boolean };

/** The prepared index, where all containers find it. Its calls throw `upstream` `search_unavailable`. */
export type IndexStore = {
  /** As of the last minute; `undefined` until the job has made one. */
  open(): Promise<SearchIndex | undefined>;
  /** Changes a copy of it, a new one where there is none. It is stored where `change` answers that something is new. */
  grow(change: (index: GrowingIndex) => Promise<boolean>): Promise<void>;
  /** One of these presses alone, which is not stored. */
  fresh(entries: readonly Entry[]): SearchIndex;
};
