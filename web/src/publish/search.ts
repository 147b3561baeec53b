/** What the editor's address carries: a saved press by its id, or a text of this browser's own by its name. */
type EditorSearch = { readonly id?: string; readonly draft?: string };

/** Reads the query of the editor's address; what is no id or name is left out. */
export function parseEditor({ id, draft }: Readonly<Record<string, unknown>>): EditorSearch {
  if (typeof id === "string" && /^[1-9]\d{0,14}$/.test(id)) return { id };
  return typeof draft === "string" && /^[\d-]{1,40}$/.test(draft) ? { draft } : {};
}
