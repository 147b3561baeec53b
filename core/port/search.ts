import type { Address } from "../chain/hex.ts";

/** The searchable fields of a live press. */
export type IndexedPress = {
  readonly id: number;
  readonly publishedAt: string;
  readonly headline: string;
  readonly preview: string;
  readonly publisher: Address;
  readonly publisherName: string;
  /** The ticker and the company's other names. */
  readonly stock: string;
  readonly company: string;
};

/** Every word must occur, in one of its forms. `inTitle`: in the headline, the byline or the company's names. */
export type SearchTerms = {
  readonly words: readonly { readonly text: string; readonly isPrefix: boolean }[];
  readonly inTitle: boolean;
  readonly stock?: string | undefined;
  readonly limit: number;
};

export type FoundAuthor = { readonly address: Address; readonly name: string };

/** An index of presses. Its content is public. */
export type SearchIndex = {
  /** When the newest press in the index went live: ISO 8601; `undefined` for an empty index. */
  readonly upTo: string | undefined;
  /** Ids of presses, the newest first. */
  find(wanted: SearchTerms): readonly number[];
  /** Authors with a byline that has all the words, those with most presses first. */
  authors(words: readonly string[], limit: number): readonly FoundAuthor[];
  /** The most frequent word within one typing error of this one. */
  near(word: string): string | undefined;
};

/** An index that can be extended. Presses come oldest first. Returns whether any was new. */
export type GrowingIndex = SearchIndex & { readonly add: (entries: readonly IndexedPress[]) => boolean };

/** The stored index, shared by all containers. Its calls throw `upstream` `search_unavailable`. */
export type IndexStore = {
  /** The index of the last minute; `undefined` until the job has made one. */
  open(): Promise<SearchIndex | undefined>;
  /** Changes a copy of the index, or a new one. The copy is stored when `change` returns that a press was new. */
  grow(change: (index: GrowingIndex) => Promise<boolean>): Promise<void>;
  /** An index in memory of only these presses. */
  fresh(entries: readonly IndexedPress[]): SearchIndex;
};
