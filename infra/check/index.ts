import { parseArgs } from "node:util";
import { settingsOf } from "../stages.ts";
import { checkSettings, checkStage } from "./stage.ts";

/**
 * `npm run stage:check -- --stage prod`: says of each thing that a stage needs whether it is so. Ends with 1 where one is
 * not. With `--settings-only` it leaves out what stands already, so that a dry wallet keeps no deployment back.
 */
const { values } = parseArgs({
  options: { stage: { type: "string" }, "settings-only": { type: "boolean", default: false } },
});
if (values.stage === undefined) throw new Error("Say which stage: --stage dev");
const settings = settingsOf(values.stage);
const findings = await (values["settings-only"]
  ? checkSettings(settings)
  : checkStage(values.stage, settings));
for (const { what, fault } of findings) {
  console.log(fault === undefined ? `ok     ${what}` : `FAULT  ${what}: ${fault}`);
}
if (findings.some(({ fault }) => fault !== undefined)) process.exitCode = 1;
