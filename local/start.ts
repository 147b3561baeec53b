import { enableCompileCache } from "node:module";
import { join } from "node:path";
import { readSettings, SettingsError, type StartSettings, usage } from "./settings.ts";
import { stopSignal } from "./stop-signal.ts";

// The reader of the output may be gone. The service still runs on, or stops in order.
for (const output of [process.stdout, process.stderr]) output.on("error", () => undefined);

// In the cloud an unhandled rejection costs one container. Here chain and database are in the same process.
process.on("unhandledRejection", (error) =>
  console.error("A function left a failure behind; the service goes on.", error),
);

const settings = settingsOrExit();
const stop = stopSignal();

// The following modules are imported after this call, so that the compile cache serves them from the second
// start on.
enableCompileCache(join(settings.directory, "compile-cache"));
// The functions' log reads its level and its name when it is loaded, before the service sets the rest.
process.env.POWERTOOLS_LOG_LEVEL ??= "WARN";
process.env.POWERTOOLS_SERVICE_NAME ??= "local-press-market";
const { run } = await import("./run.ts");
process.exit(await run(settings, stop));

function settingsOrExit(): StartSettings {
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
