/** The parent process of a test: starts a program that runs forever, prints the program's process id, and waits. */
import { spawnChild } from "../../local/child.ts";

console.log(await spawnChild(process.execPath, ["-e", "setInterval(() => {}, 1000)"]).pid);
