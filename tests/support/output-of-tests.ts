/**
 * Stores the lines that this process writes. When a test or a file has failed, the newest lines are sent to the console, so that Vitest
 * shows the lines beside the failure. The reporter gets no lines of tests that succeed, because sending these lines would take much time.
 */
import { afterAll, afterEach } from "vitest";

const name = Symbol.for("press-market.kept-lines");
const most = 300;

type Line = () => void;

/** The lines that this process has written. Vitest runs this setup file again for each test file, so a global variable keeps the lines. */
function readProcessLines(): Line[] {
  const known: unknown = Reflect.get(globalThis, name);
  if (Array.isArray(known)) return known;
  const lines: Line[] = [];
  Reflect.set(globalThis, name, lines);
  recordStream(lines, process.stdout, (text) => console.log(text));
  recordStream(lines, process.stderr, (text) => console.error(text));
  return lines;
}

function recordStream(lines: Line[], stream: NodeJS.WriteStream, say: (text: string) => void): void {
  const write = stream.write.bind(stream);
  let saying = false;
  const sayLine = (text: string) => {
    saying = true;
    say(text);
    saying = false;
  };
  Reflect.set(stream, "write", (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    // With --disable-console-intercept, the console itself writes to the standard output stream.
    if (saying) return write(chunk);
    const text = (typeof chunk === "string" ? chunk : Buffer.from(chunk).toString()).replace(/\n$/, "");
    lines.push(() => sayLine(text));
    if (lines.length > most) lines.shift();
    for (const done of rest) if (typeof done === "function") done();
    return true;
  });
}

const lines = readProcessLines();
let ended = 0;
afterEach(({ task }) => {
  ended += 1;
  if (task.result?.state === "fail") for (const say of lines.splice(0)) say();
});
afterAll(() => {
  const kept = lines.splice(0);
  // If no test has ended, the setup before the tests has failed.
  if (ended === 0) for (const say of kept) say();
});
