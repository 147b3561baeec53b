import { playDemo } from "./demo/index.ts";
import { terminal } from "./demo/say.ts";
import { findOrStart } from "./demo/service.ts";
import { stopSignal } from "./stop-signal.ts";

const signal = stopSignal();
const service = await findOrStart(process.argv.slice(2), signal);
try {
  await playDemo({ origin: service.origin, signal }, terminal);
  console.log("\nAll of it happened on the chain.");
} catch (error) {
  console.error("\nThe demo did not go through:", error);
  process.exitCode = 1;
} finally {
  await service.stop();
}
