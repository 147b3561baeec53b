import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Checkout } from "./checkout.ts";

export type Ended = { readonly code: number; readonly output: string };

/** A command that runs. */
export type Running = {
  readonly ended: Promise<Ended>;
  /** Ends it with all that it has started, as Ctrl-C does. */
  readonly interrupt: () => void;
};

/** Where commands run: in the copy, as somebody who has nothing but access to the stand-ins. */
export type Shell = {
  readonly start: (command: readonly string[], variables?: Readonly<Record<string, string>>) => Running;
  /** Hosts of other machines that something wanted to reach. */
  readonly contacts: () => readonly string[];
  /** Ends what still runs. */
  readonly close: () => void;
};

/** Nothing of the caller's environment reaches a command but the path to programs: no profile, no key, no endpoint. */
export function openShell(checkout: Checkout, endpoint: string): Shell {
  const home = join(checkout.root, "../home");
  const contacts = join(home, "contacts");
  mkdirSync(home);
  writeFileSync(contacts, "");
  const guard = join(checkout.root, "bench/rehearsal/guard.ts");
  const environment = {
    PATH: [join(checkout.root, "node_modules/.bin"), process.env.PATH ?? ""].join(delimiter),
    HOME: home,
    TMPDIR: home,
    CI: "true",
    NODE_OPTIONS: `--import=${JSON.stringify(guard)}`,
    REHEARSAL_CONTACTS: contacts,
    // SST's command line is started many times, and two thirds of a start are compiling.
    NODE_COMPILE_CACHE: join(home, "compiled"),
    AWS_ENDPOINT_URL: endpoint,
    AWS_EC2_METADATA_DISABLED: "true",
    CDK_NOTICES: "false",
    npm_config_offline: "true",
    npm_config_update_notifier: "false",
  };
  const running = new Set<number>();
  return {
    start([program = "", ...rest], variables = {}) {
      const child = spawn(program, rest, {
        cwd: checkout.root,
        env: { ...environment, ...variables },
        stdio: ["ignore", "pipe", "pipe"],
        // A group of its own, so that all of it can be ended.
        detached: true,
      });
      const group = child.pid ?? 0;
      running.add(group);
      let output = "";
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk: Buffer) => {
          output += chunk.toString();
        });
      }
      const ended = new Promise<Ended>((resolve, reject) => {
        child.once("error", reject);
        child.once("close", (code) => {
          running.delete(group);
          resolve({ code: code ?? 1, output });
        });
      });
      return { ended, interrupt: () => process.kill(-group, "SIGINT") };
    },
    close() {
      for (const group of running) process.kill(-group, "SIGKILL");
      running.clear();
    },
    contacts: () => readFileSync(contacts, "utf8").split("\n").filter(Boolean),
  };
}
