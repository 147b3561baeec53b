import { createServer } from "node:http";
import { buffer } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { type LocalServer, listen } from "../../local/stand-in.ts";

/** Milliseconds between two polls. */
const pause = 10;

/**
 * Starts a proxy in front of the database at `endpoint`. While the worker has not stored the outcome of a mint, the proxy delays the answer
 * to each read of the mint's record. Because of this delay, one poll is enough even on a busy machine.
 */
export function startPatientDatabase(endpoint: string): Promise<LocalServer> {
  const server = createServer(async (request, response) => {
    const { host: _, ...headers } = request.headers;
    const body = await buffer(request);
    const ask = async () => {
      const answer = await fetch(endpoint, {
        method: request.method ?? "POST",
        headers: Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]),
        body,
      });
      return { status: answer.status, text: await answer.text() };
    };
    const waits = String(headers["x-amz-target"]).endsWith(".GetItem") && body.includes('"$mint_1#txhash_');
    let { status, text } = await ask();
    while (waits && text.includes('"state":{"S":"pending"}')) {
      await sleep(pause);
      ({ status, text } = await ask());
    }
    response.writeHead(status, { "content-type": "application/x-amz-json-1.0" });
    response.end(text);
  });
  return listen(server);
}
