import type { IncomingMessage } from "node:http";

/** Bytes that reach a function at most: Lambda's own limit. What a route takes of them is for its handler to say. */
export const hardLimit = 6 * 1024 * 1024;

/** Bytes that are read and dropped beyond it, so that a client gets to see the refusal before the connection ends. */
const patience = 64 * 1024 * 1024;

export type Body =
  | { readonly kind: "whole"; readonly bytes: Buffer }
  | { readonly kind: "too large" }
  /** The client went away. */
  | { readonly kind: "broken" };

export async function readBody(request: IncomingMessage): Promise<Body> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > patience) break;
      if (size <= hardLimit) chunks.push(bytes);
    }
  } catch {
    // Reading fails only where the connection does; there is nobody left to tell.
    return { kind: "broken" };
  }
  return size > hardLimit ? { kind: "too large" } : { kind: "whole", bytes: Buffer.concat(chunks) };
}

/** Whether the gateway hands a body of this type over as text; anything else, also no type at all, goes as base64. */
export function isText(contentType: string | undefined): boolean {
  const type = contentType?.split(";")[0]?.trim().toLowerCase() ?? "";
  return type.startsWith("text/") || /^application\/(json|xml|javascript)$/.test(type);
}
