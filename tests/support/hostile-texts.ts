/**
 * Texts of 100 kB that would block a Markdown parser, a browser or a regular expression for a long time, each with the error that a save
 * reports for line 3.
 */
export const hostileTexts: Readonly<Record<string, readonly [text: string, says: RegExp]>> = {
  lists: ["- ".repeat(50_000), /may nest .* at most 20 deep, .* on line 3\b/],
  quotations: [">".repeat(100_000), /may nest .* at most 20 deep, .* on line 3\b/],
  brackets: ["[".repeat(100_000), /at most 20 brackets .* on line 3\b/],
  "closing stars": ["a* ".repeat(33_000), /at most 1000 marks .* on line 3\b/],
  "letters that are set closer": ["A ".repeat(50_000), /at most 10000 characters .* on line 3\b/],
  "a word that only a dictionary breaks": ["\u0e01".repeat(600), /at most 500 .* on line 3\b/],
};
