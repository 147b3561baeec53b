import { parseArgs } from "node:util";
import { checkModel, openStage } from "../tests/core/payment/model/property.ts";
import { type Tally, Violation } from "../tests/core/payment/model/violation.ts";
import { chaosTable } from "./chaos/table.ts";

/** The long version of the model test: `npm run chaos -- --operations 5000 --seed 1`. Ends in a table; exits 1 if an invariant broke. */
const { values } = parseArgs({
  options: {
    operations: { type: "string", default: "5000" },
    seed: { type: "string", default: String(Math.floor(Math.random() * 1_000_000)) },
  },
});
const [wanted, first] = [Number(values.operations), Number(values.seed)];
if (!Number.isSafeInteger(wanted) || !Number.isSafeInteger(first)) {
  throw new TypeError("--operations and --seed take whole numbers.");
}

/** Cases of one seed, milliseconds for making a broken one smaller, and broken cases after which the rest can only repeat itself. */
const runs = 20;
const timeLimit = 120_000;
const enough = 5;

const tally: Tally = new Map();
const broken: unknown[] = [];
const started = performance.now();
const stage = await openStage();
try {
  for (let seed = first; (tally.get("operations") ?? 0) < wanted && broken.length < enough; seed += 1) {
    const failure = await checkModel(stage, { seed, runs, timeLimit }, tally);
    console.log(
      `seed ${seed}: ${failure === undefined ? "holds" : "BROKEN"}, ${tally.get("operations")} operations`,
    );
    if (failure === undefined) continue;
    console.log(failure.report);
    broken.push(failure.error);
  }
} finally {
  await stage.stop();
}
const harms = broken.map((error) => (error instanceof Violation ? error.harm : "defect"));
console.log(chaosTable(tally, harms, (performance.now() - started) / 1000));
if (harms.length > 0) process.exitCode = 1;
