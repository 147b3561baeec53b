import type { Address } from "viem";

/** The searchable fields of a live press. */
export type IndexedPress = {
  readonly id: number;
  readonly publishedAt: string;
  readonly headline: string;
  readonly preview: string;
  readonly publisher: Address;
  readonly publisherName: string;
  /** The ticker of the stock, and other names of the company. */
  readonly stock: string;
  readonly company: string;
};

/**
 * A query for presses. The press must contain every word of the query in at least one of the word's forms. `inTitle`: every word must occur
 * in the headline, the byline or the company's names.
 */
export type SearchTerms = {
  readonly words: readonly { readonly text: string; readonly isPrefix: boolean }[];
  readonly inTitle: boolean;
  readonly stock?: string | undefined;
  readonly limit: number;
};

export type FoundAuthor = { readonly address: Address; readonly name: string };

/** An index of presses. The content of the search index is public. */
export type SearchIndex = {
  /** The time when the newest press in the index went live, in ISO 8601; `undefined` for an empty index. */
  readonly upTo: string | undefined;
  /** Finds the ids of the presses that match a query, the newest first. */
  find(wanted: SearchTerms): readonly number[];
  /** Finds the authors whose byline contains all the given words. Authors with more presses come first. */
  findAuthors(words: readonly string[], limit: number): readonly FoundAuthor[];
  /** Finds the most frequent indexed word that differs from the given word by one typing error. */
  findNearWord(word: string): string | undefined;
};

/**
 * A search index to which presses can be added. `add` gets the presses in order, the oldest first, and returns whether any of these presses
 * was new.
 */
export type GrowableIndex = SearchIndex & { readonly add: (entries: readonly IndexedPress[]) => boolean };

/** The stored search index, shared by all containers. The methods throw `search_unavailable` (`upstream`). */
export type IndexStore = {
  /** The search index, at most about a minute old; `undefined` until the search job has made the first index. */
  open(): Promise<SearchIndex | undefined>;
  /**
   * Applies `change` to a copy of the stored index, or to a new index if no index is stored. The changed index is stored only if `change`
   * reports that a press was new.
   */
  updateIndex(change: (index: GrowableIndex) => Promise<boolean>): Promise<void>;
  /** A search index in memory that contains only the given presses. */
  makeIndex(entries: readonly IndexedPress[]): SearchIndex;
};
