/** The parent process of a test: starts a program that runs forever, prints the program's process id, and waits. */
import { setTimeout as delay } from "node:timers/promises";
import { spawnGuarded } from "../../../local/database/index.ts";

const program = "console.log(process.pid); setInterval(() => {}, 1000);";
const guarded = spawnGuarded(process.execPath, ["-e", program]);
while (!guarded.output().includes("\n")) await delay(10);
console.log(guarded.output().trim());
