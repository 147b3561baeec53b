/** Runs the program in its arguments until the program ends or standard input closes. */
import { spawn } from "node:child_process";

const graceMs = 10_000;
const [command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error("The watchdog needs a program to run.");

const child = spawn(command, args, { stdio: ["ignore", "inherit", "inherit"] });

function end(): void {
  child.kill("SIGTERM");
  setTimeout(() => child.kill("SIGKILL"), graceMs).unref();
}

process.stdin.on("close", end).resume();
// After the parent's death nothing reads the output. A write error must not end the watchdog before its
// program.
process.stdout.on("error", end);
process.stderr.on("error", end);
process.on("SIGTERM", end).on("SIGINT", end).on("SIGHUP", end);

child.on("error", (error) => {
  console.error(`Cannot start ${command}: ${error.message}`);
  process.exit(127);
});
child.on("exit", (code) => process.exit(code ?? 1));
