/** A parent for the tether's test: tethers a program that would run forever, prints its process id, waits. */
import { setTimeout as delay } from "node:timers/promises";
import { tether } from "../../../local/database/tether.ts";

const program = "console.log(process.pid); setInterval(() => {}, 1000);";
const tethered = tether(process.execPath, ["-e", program]);
while (!tethered.output().includes("\n")) await delay(10);
console.log(tethered.output().trim());
