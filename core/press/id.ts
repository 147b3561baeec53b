/** The press id that a path's text names, or `undefined` where it can name none. */
export function pathId(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,11}$/.test(text) ? Number(text) : undefined;
}
