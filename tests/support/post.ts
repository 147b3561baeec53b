import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";

/**
 * Sends JSON to a node on its own connection. The devnet closes idle connections as providers do, perhaps
 * just when a request uses one; `fetch` reuses open connections and does not retry a POST.
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
