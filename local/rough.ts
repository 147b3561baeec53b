import { createHash } from "node:crypto";

/** Chance for a stand-in that is to be as rough as the real thing. The same seed always gives the same throws in a row. */
export type Dice = {
  readonly chance: (probability: number) => boolean;
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number;
  readonly oneOf: <Value>(values: readonly [Value, ...Value[]]) => Value;
};

/** The same chance, but that nothing goes wrong while it is calm. */
export function calmed(dice: Dice, isCalm: () => boolean): Dice {
  return {
    ...dice,
    chance: (probability) => dice.chance(probability) && !isCalm(),
    between: (low, high) => (isCalm() ? low : dice.between(low, high)),
  };
}

/** `part` names the stand-in, so that what one of them throws does not depend on how often another is asked. */
export function diceOf(seed: string, part: string): Dice {
  const random = randomOf(createHash("sha256").update(`${part}:${seed}`).digest().readUInt32LE());
  const between = (low: number, high: number) => low + Math.floor(random() * (high - low + 1));
  return {
    chance: (probability) => random() < probability,
    between,
    oneOf: (values) => values[between(0, values.length - 1)] ?? values[0],
  };
}

/** Numbers from 0 to below 1 by a linear congruential generator (Knuth's MMIX), of which the upper bits are used. */
function randomOf(seed: number): () => number {
  let state = BigInt(seed);
  return () => {
    state = BigInt.asUintN(64, state * 6364136223846793005n + 1442695040888963407n);
    return Number(state >> 32n) / 2 ** 32;
  };
}
