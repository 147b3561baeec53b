import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { readSettings, SettingsError, type StartSettings, usage } from "./settings.ts";
import { makeStopSignal } from "./stop-signal.ts";

// The process that reads the output may have ended. The service continues, or stops in an orderly way, even if its output cannot be
// written.
for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);

// In the cloud, an unhandled rejection ends only one container. In the local service, an unhandled rejection would end everything,
// including the chain and the database.
process.on("unhandledRejection", (error) =>
  console.error("A function did not handle an error; the service continues.", error),
);

const settings = readSettingsOrExit();
const stop = makeStopSignal();

// The modules below are imported after the compile cache is turned on, so that they come from this cache at the second start and later.
enableCompileCache(join(settings.directory, "compile-cache"));
// The functions' logger reads its level and its name as soon as its module is loaded. The service sets all other environment variables of
// the functions later.
process.env.POWERTOOLS_LOG_LEVEL ??= "WARN";
process.env.POWERTOOLS_SERVICE_NAME ??= "local-press-market";
const { run } = await import("./run.ts");
process.exit(await run(settings, stop));

function readSettingsOrExit(): StartSettings {
  try {
    const found = readSettings(process.argv.slice(2), process.env);
    if (found !== undefined) return found;
    console.log(usage);
    process.exit(0);
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    console.error(`${error.message}\nnpm start -- --help shows what there is.`);
    process.exit(2);
  }
}
