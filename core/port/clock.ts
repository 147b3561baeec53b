/** The time, so that nouns can be tried at any moment. */
export type Clock = {
  /** Milliseconds since the Unix epoch. */
  now(): number;
  /** Resolves after so many milliseconds. */
  sleep(milliseconds: number): Promise<void>;
};
