import { request as open } from "node:http";
import { text } from "node:stream/consumers";
import { mutate, spoilers } from "./mutate.ts";
import { type FuzzRequest, wrappings } from "./request.ts";
import { type FuzzWorld, legs } from "./world.ts";

export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The length of the request's path, query and headers in bytes. */
  readonly asked: number;
};

/**
 * The maximum length in bytes of a single header in these requests. This maximum is below the limit that the local server sets for all
 * headers together, but above the gateway's limit.
 */
const longest = 12_000;

/** Sends a request by `node:http`, which leaves the request unchanged; other HTTP clients would correct it. */
export async function sendRaw(world: FuzzWorld, request: FuzzRequest): Promise<Answer> {
  const { method, target, headers, body } = request;
  const { port } = new URL(world.service.origin);
  const all = {
    ...headers,
    ...(await encodePayment(world, request)),
    ...(body !== undefined && { "content-length": Buffer.byteLength(body) }),
  };
  const asked = Buffer.byteLength(target + Object.entries(all).flat().join(""));
  const sent = open({ host: "localhost", port, method, path: target, headers: all });
  const answered = Promise.withResolvers<Answer>();
  sent.on("error", answered.reject);
  sent.on("response", async (response) => {
    const { statusCode = 0, headers } = response;
    answered.resolve({ status: statusCode, headers, text: await text(response), asked });
  });
  sent.end(body);
  return answered.promise;
}

async function encodePayment(
  world: FuzzWorld,
  { route, payment }: FuzzRequest,
): Promise<Readonly<Record<string, string>>> {
  if (payment === undefined || (route !== "pay-treasury" && route !== "pay-publisher")) return {};
  const document = await world.makePayment(payment.payer, legs[route]);
  const written = spoilers[payment.spoiler](JSON.stringify(mutate(document, payment.changes)));
  return { [payment.header]: wrappings[payment.wrapped](written).slice(0, longest) };
}
