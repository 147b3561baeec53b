import * as z from "zod";
import { HexInput } from "../../core/chain/hex.ts";

/**
 * What is kept of a compiled contract: its creation code, the code that this leaves on the chain, with zeros in the
 * places (in bytes) of what a constructor fills in, and its selectors by signature.
 */
const Artifact = z.object({
  bytecode: HexInput,
  runtime: HexInput,
  immutables: z.array(z.object({ start: z.int(), length: z.int() })).readonly(),
  methods: z.record(z.string(), HexInput),
});

/** The file of compiled contracts. `key` names the sources, compiler and settings that it came from. */
export const ArtifactFile = z.object({ key: z.string(), contracts: z.record(z.string(), Artifact) });

export type ArtifactFile = z.infer<typeof ArtifactFile>;
export type Artifact = z.infer<typeof Artifact>;
export type Artifacts = Readonly<Record<string, Artifact>>;

/** The compiled contract of that name. Throws for an unknown name. */
export function artifact(artifacts: Artifacts, name: string): Artifact {
  const found = artifacts[name];
  if (found === undefined) throw new Error(`No contract is called ${name}.`);
  return found;
}
