/** The chain gave no answer. A module of its own: telling this error apart takes nothing that speaks to chains. */
export class ChainSilent extends Error {
  override readonly name = "ChainSilent";
}
