import { HttpProblem } from "./problem.ts";

/** A request whose body nothing has read yet. */
type Event = {
  readonly headers: Readonly<Record<string, string | undefined>>;
  isBase64Encoded: boolean;
  body?: unknown;
};

const json = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** In the JSON parser's place: leaves the text of a JSON body to the operation, which says itself when it is none. */
export function textBody(event: Event): void {
  if (!json.test(event.headers["content-type"] ?? "")) {
    throw new HttpProblem(415, "not_json", "Send the body as application/json.");
  }
  if (typeof event.body !== "string" || !event.isBase64Encoded) return;
  event.body = Buffer.from(event.body, "base64").toString();
  event.isBase64Encoded = false;
}
