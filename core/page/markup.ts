/** Control characters, which no markup may hold, and marks that turn the direction of what is shown beside them. */
const unfit = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** A text as one line without characters that act on their surroundings. */
export function oneLine(text: string): string {
  return text.replace(unfit, " ").replace(/\s+/g, " ").trim();
}

/** The paragraphs of a text: what empty lines part, each as one line. */
export function paragraphs(text: string): readonly string[] {
  return text
    .split(/\r?\n[^\S\n]*\r?\n/)
    .map(oneLine)
    .filter((paragraph) => paragraph !== "");
}

/** JSON that can stand in a script element: nothing in it ends the element or opens a comment (HTML §4.12.1.3). */
export function scriptJson(value: object): string {
  return JSON.stringify(value).replace(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
