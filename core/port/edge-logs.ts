/** The edge's log files, each with one JSON object a line. Its calls throw when the store does not answer. */
export type EdgeLogs = {
  /** The names of the files that the edge has stored under a UTC day, `YYYY-MM-DD`. */
  files(day: string): Promise<readonly string[]>;
  /** The lines of a file. Throws for a file that is no log, or too large to be read at once. */
  lines(file: string): Promise<readonly string[]>;
};
