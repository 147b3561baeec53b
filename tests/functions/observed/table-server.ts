import { createServer, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { type LocalServer, listen } from "../../../local/stand-in.ts";

export type TableServer = LocalServer & { fail(failing: boolean): void };

/** A proxy in front of DynamoDB that fails on demand. */
export async function startTableServer(target: string): Promise<TableServer> {
  let failing = false;
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (failing) {
      response.writeHead(500, { "content-type": "application/x-amz-json-1.0" });
      response.end(JSON.stringify({ __type: "com.amazonaws.dynamodb.v20120810#InternalServerError" }));
      return;
    }
    const answer = await fetch(target, {
      method: "POST",
      headers: pickSdkHeaders(request.headers),
      body: new Uint8Array(body),
    });
    response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
    response.end(await answer.text());
  });
  return {
    ...(await listen(server)),
    fail: (now) => {
      failing = now;
    },
  };
}

/** The request's headers that the SDK sets, without the headers of the connection. */
function pickSdkHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const told = Object.entries(headers).filter(([name]) =>
    /^(x-amz-|authorization$|content-type$)/.test(name),
  );
  return Object.fromEntries(told.map(([name, value]) => [name, String(value)]));
}
