import { startDatabase } from "../../local/database/index.ts";
import { answerParent } from "./child.ts";

/** Runs the table's stand-in in a process of its own, in memory. */
answerParent(await startDatabase({ engine: "embedded", port: 0 }));
