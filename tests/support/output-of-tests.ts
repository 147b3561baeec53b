/**
 * Redirects this process's own streams to the console: Vitest stores console output by test and shows it if
 * the test fails.
 */

const through = Symbol.for("press-market.through-console");

function redirect(stream: NodeJS.WriteStream, say: (text: string) => void): void {
  if (Reflect.has(stream, through)) return;
  const write = stream.write.bind(stream);
  let saying = false;
  Reflect.set(stream, "write", (chunk: string | Uint8Array, ...rest: readonly unknown[]) => {
    // With --disable-console-intercept the console itself writes to the stream.
    if (saying) return write(chunk);
    saying = true;
    try {
      say((typeof chunk === "string" ? chunk : Buffer.from(chunk).toString()).replace(/\n$/, ""));
    } finally {
      saying = false;
    }
    for (const done of rest) if (typeof done === "function") done();
    return true;
  });
  Reflect.set(stream, through, true);
}

redirect(process.stdout, (text) => console.log(text));
redirect(process.stderr, (text) => console.error(text));
