import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import * as z from "zod";
import { openChain } from "../../../core/adapter/chain.ts";
import { listen } from "../../../local/wire/listen.ts";

const Call = z.object({ id: z.number(), method: z.string(), params: z.array(z.unknown()) });
export type UpstreamCall = { readonly method: string; readonly params: readonly unknown[] };

/** What a node says to a call: a part of a JSON-RPC response, or `hang up`. */
type Say = (call: UpstreamCall) => object | "hang up";

/** A node over real HTTP, with all that it was asked. */
export async function upstream(say: Say) {
  const calls: UpstreamCall[] = [];
  const trips = { count: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      trips.count += 1;
      const sent: unknown = JSON.parse(Buffer.concat(chunks).toString());
      const asked = z.array(Call).parse(Array.isArray(sent) ? sent : [sent]);
      const said = asked.map(({ id, method, params }) => {
        calls.push({ method, params });
        return { id, answer: say({ method, params }) };
      });
      if (said.some(({ answer }) => answer === "hang up")) {
        request.socket.destroy();
        return;
      }
      const answers = said.map(({ id, answer }) => ({ jsonrpc: "2.0", id, ...Object(answer) }));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(Array.isArray(sent) ? answers : answers[0]));
    });
  });
  const { endpoint, stop } = await listen(server, 0);
  onTestFinished(stop);
  return { chain: openChain([endpoint]), endpoint, calls, trips };
}
