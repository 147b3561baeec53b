/** A rehearsed command loads this file first, so that its Node.js processes cannot reach another machine. */
import { appendFileSync } from "node:fs";
import { Socket } from "node:net";

const { connect } = Socket.prototype;
const here = /^(localhost|127\.\d+\.\d+\.\d+|::1)$/;

/** Blocks each connection that a command opens to another machine, and records the attempt in a file that the rehearsal reads. */
function connectIfAllowed(this: Socket, ...parameters: readonly unknown[]): Socket {
  const host = readHost(parameters);
  if (host === undefined || here.test(host)) return Reflect.apply(connect, this, parameters);
  appendFileSync(process.env.REHEARSAL_CONTACTS ?? "", `${host}\n`);
  process.nextTick(() => this.destroy(new Error(`The rehearsal blocks connections to ${host}.`)));
  return this;
}

/** Node.js itself calls `connect` with one list that starts with the options. For a socket in the file system, the host is `undefined`. */
function readHost([first, second]: readonly unknown[]): string | undefined {
  const options: unknown = Array.isArray(first) ? first[0] : first;
  if (typeof options !== "object" || options === null)
    return typeof second === "string" ? second : "localhost";
  if ("path" in options && typeof options.path === "string") return undefined;
  return "host" in options && typeof options.host === "string" ? options.host : "localhost";
}

Reflect.set(Socket.prototype, "connect", connectIfAllowed);
