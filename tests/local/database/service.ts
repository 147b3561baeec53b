/**
 * A local service for the crash tests. The service stores its database in the given directory, prints its address, and ends when its parent
 * process ends.
 */
import { startDatabase } from "../../../local/database/index.ts";

const database = await startDatabase({ engine: "embedded", directory: process.argv[2] });
process.stdin.on("close", () => process.exit()).resume();
console.log(database.endpoint);
