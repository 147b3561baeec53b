import { startDatabase } from "../../local/database/index.ts";
import { answerParent } from "./child.ts";

/** Runs the stand-in for the table in its own process, and keeps the table in memory. */
answerParent(await startDatabase({ engine: "embedded" }));
