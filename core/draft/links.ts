import type { Draft, Source } from "./schema.ts";

/** The first address in a draft's text that is none of its sources': a model may make one up. */
export function inventedLink({ body }: Draft, sources: readonly Source[]): string | undefined {
  const addresses = body.match(/\bhttps?:\/\/[^\s<>()[\]"'`*]+/gi) ?? [];
  // A match ends where Markdown may end an address, so it can be shorter than the source's.
  return addresses
    .map((address) => address.replace(/[.,;:!?]+$/, ""))
    .find((address) => !sources.some(({ link }) => link.startsWith(address)));
}
