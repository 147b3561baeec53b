import { parseArgs } from "node:util";
import { rehearse } from "./rehearsal/index.ts";

/**
 * `npm run rehearse -- --stage dev`: the documented commands from the first deployment of a stage to its end, against
 * stand-ins of AWS on this machine. Needs no account. Ends with a table of the steps, and with 1 where one failed.
 */
const { values } = parseArgs({ options: { stage: { type: "string", default: "dev" } } });
// So that an end before the end leaves neither processes nor files.
for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(1));
const steps = await rehearse({
  stage: values.stage,
  isShort: false,
  report: ({ name, fault, seconds }) => {
    console.log(`${fault === undefined ? "ok  " : "FAIL"} ${seconds.toFixed(0).padStart(4)} s  ${name}`);
    if (fault !== undefined) console.log(fault);
  },
});

const failures = steps.filter(({ fault }) => fault !== undefined).length;
const width = Math.max(...steps.map(({ name }) => name.length));
console.log(`\nThe stage ${values.stage}, rehearsed:`);
for (const { name, note, fault } of steps) {
  console.log(`${fault === undefined ? "ok  " : "FAIL"}  ${name.padEnd(width)}  ${note}`);
}
console.log(`\n${steps.length} steps, ${failures} failures`);
if (failures > 0) process.exitCode = 1;
