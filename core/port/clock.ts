/** The time, so that nouns can be tried at any moment. */
export type Clock = {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /**
   * Resolves after so many milliseconds; `upTo` after a random part of them, so that those who met do not all come back at
   * one moment.
   */
  sleep(milliseconds: number, how?: "upTo"): Promise<void>;
};
