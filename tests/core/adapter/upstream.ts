import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { listen } from "../../../local/stand-in.ts";

const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) });
export type UpstreamCall = { readonly method: string; readonly params: readonly unknown[] };

/** An HTTP response that a node gives instead of a JSON-RPC response. */
type HttpAnswer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** The answer of a node to a call: either a part of a JSON-RPC response, or a fault of the whole HTTP request. */
export type NodeScript = (call: UpstreamCall) => object | HttpAnswer | "hang up" | "silence";

/** A fake node that answers over real HTTP and records the requests. A test can change the node's answers later. */
export async function startUpstream(script: NodeScript) {
  let say = script;
  const calls: UpstreamCall[] = [];
  const headers: IncomingHttpHeaders[] = [];
  const bodies: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      headers.push(request.headers);
      const body = Buffer.concat(chunks).toString();
      bodies.push(body);
      const sent: unknown = JSON.parse(body);
      const asked = z.array(Call).parse(Array.isArray(sent) ? sent : [sent]);
      calls.push(...asked.map(({ method, params }) => ({ method, params })));
      const said = asked.map(({ id, method, params }) => ({ id, answer: say({ method, params }) }));
      const other = said.find(({ answer }) => typeof answer === "string" || "status" in answer)?.answer;
      if (other === "silence") return;
      if (other === "hang up") request.socket.destroy();
      else if (other !== undefined) write(response, other);
      else {
        const answers = said.map(({ id, answer }) => ({ jsonrpc: "2.0", id, ...Object(answer) }));
        write(response, { status: 200, body: JSON.stringify(Array.isArray(sent) ? answers : answers[0]) });
      }
    });
  });
  const { endpoint, stop } = await listen(server);
  onTestFinished(stop);
  return {
    endpoint,
    calls,
    headers,
    bodies,
    /** Counts how many calls of the given method the node has received. */
    count: (method: string) => calls.filter((call) => call.method === method).length,
    /** The HTTP requests that the node has received. */
    trips: () => headers.length,
    setScript(script: NodeScript) {
      say = script;
    },
  };
}
export type Upstream = Awaited<ReturnType<typeof startUpstream>>;

const HttpAnswer = z.object({
  status: z.number(),
  headers: z.record(z.string(), z.string()).default({}),
  body: z.string().default(""),
});

function write(response: ServerResponse, page: unknown): void {
  const { status, headers, body } = HttpAnswer.parse(page);
  response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
}

/** An address at which nothing listens. */
export async function findDeadEndpoint(): Promise<string> {
  const { endpoint, stop } = await listen(createServer());
  await stop();
  return endpoint;
}
