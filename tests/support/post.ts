import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

/**
 * Sends JSON to a node on a connection of its own. The devnet closes idle connections, as providers do, and may do so
 * while a request is put on one; `fetch` takes any connection that is open, and does not repeat what sends.
 */
export async function post(
  url: string,
  body: string,
): Promise<{ readonly status: number; readonly text: string }> {
  const headers = { "content-type": "application/json" };
  const sent = request(url, { method: "POST", agent: false, headers });
  const answered = Promise.withResolvers<IncomingMessage>();
  sent.on("error", answered.reject);
  sent.on("response", answered.resolve);
  sent.end(body);
  const response = await answered.promise;
  return { status: response.statusCode ?? 0, text: await text(response) };
}
