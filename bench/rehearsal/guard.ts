/** Loaded before a rehearsed command: nothing it starts in Node.js can reach another machine. */
import { appendFileSync } from "node:fs";
import { Socket } from "node:net";

const { connect } = Socket.prototype;
const here = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Notes an attempt to reach another machine in the file that the rehearsal reads, and lets it fail. */
function guarded(this: Socket, ...parameters: readonly unknown[]): Socket {
  const host = hostIn(parameters);
  if (host === undefined || here.test(host)) return Reflect.apply(connect, this, parameters);
  appendFileSync(process.env.REHEARSAL_CONTACTS ?? "", `${host}\n`);
  process.nextTick(() => this.destroy(new Error(`The rehearsal lets nothing reach ${host}.`)));
  return this;
}

/** Node calls it with its own form, a list around the options; `undefined` is a socket in the file system. */
function hostIn([first, second]: readonly unknown[]): string | undefined {
  const options: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof options !== "object" || options === null)
    return typeof second === "string" ? second : "localhost";
  if ("path" in options && typeof options.path === "string") return undefined;
  return "host" in options && typeof options.host === "string" ? options.host : "localhost";
}

Reflect.set(Socket.prototype, "connect", guarded);
