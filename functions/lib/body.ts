import type middy from "@middy/core";
import jsonParser from "@middy/http-json-body-parser";
import type { APIGatewayProxyEventV2 } from "aws-lambda";
import * as z from "zod";
import { bodyLimit } from "../routes.ts";
import { settings } from "./environment.ts";
import { HttpProblem, invalid, type Reply } from "./reply.ts";

/** A payload-v2 event whose body may have been parsed already. */
export type Event = Omit<APIGatewayProxyEventV2, "body"> & { body?: unknown };

/** A step of the chain that reads the body. */
export type ReadBody = (request: middy.Request<Event, Reply>) => void;

/** What a caller is told whose body is missing or cannot be read: where to begin. */
type Wanted = () => string;

export function checkSize(event: Event): void {
  if (typeof event.body !== "string") return;
  const bytes = Buffer.byteLength(event.body, event.isBase64Encoded ? "base64" : "utf8");
  if (bytes > bodyLimit) {
    throw new HttpProblem(413, "body_too_large", `The body is larger than ${bodyLimit / 1024} kB.`);
  }
}

const ParserError = z.object({ statusCode: z.union([z.literal(415), z.literal(422)]) });

/** Puts a JSON body's value in its place. */
export function jsonBody(wanted: Wanted): ReadBody {
  const parser = jsonParser();
  return (request) => {
    const { body } = request.event;
    if (typeof body !== "string") return;
    try {
      const event = { ...request.event, body };
      parser.before?.({ ...request, event });
      request.event.body = event.body;
    } catch (error) {
      const { data } = ParserError.safeParse(error);
      if (data === undefined) throw error;
      throw data.statusCode === 415 ? notJson(wanted) : malformed(wanted);
    }
  };
}

const jsonType = /^application\/(?:[\w.-]+\+)?json\s*(?:;|$)/i;

/** Leaves the text of a JSON body to the operation, which says itself when it is none. */
export function textBody(wanted: Wanted): ReadBody {
  return ({ event }) => {
    if (event.body === undefined) return;
    if (!jsonType.test(event.headers["content-type"] ?? "")) throw notJson(wanted);
    if (typeof event.body !== "string" || !event.isBase64Encoded) return;
    event.body = Buffer.from(event.body, "base64").toString();
    event.isBase64Encoded = false;
  };
}

const notJson = (wanted: Wanted) =>
  new HttpProblem(415, "not_json", `The body is not announced as JSON. ${wanted()}`);
const malformed = (wanted: Wanted) =>
  new HttpProblem(400, "malformed_json", `The body is not valid JSON. ${wanted()}`);

/** The body in its form. Throws `input` `invalid_input`, which names every field at fault or, without any, those needed. */
export function formed<Body>(form: z.ZodType<Body>, body: unknown): Body {
  const read = form.safeParse(body);
  if (read.success) return read.data;
  const isObject = typeof body === "object" && body !== null && !Array.isArray(body);
  if (isObject && read.error.issues.every(({ code }) => code !== "invalid_union")) throw invalid(read.error);
  const found = body === undefined ? "There is no body." : "The body has another form.";
  throw invalid(read.error, `${found} ${wantedBy(form)}`);
}

/** Where to begin, for a body of this form. */
export function wantedBy(form: z.ZodType): string {
  return wantedWith(missingFields(form.safeParse({}).error?.issues ?? []));
}

/** Where to begin, for a body with these fields. */
export function wantedWith(fields: string): string {
  if (fields === "") return "This request needs no body.";
  return `Send a JSON object with ${fields} as application/json: ${settings().origin}/openapi.json has examples.`;
}

/** Where to begin with JSON-RPC. */
export const rpcWanted = () => wantedWith("jsonrpc, id and method");

/** The fields that an empty object lacks; where there are several forms, those of each. */
function missingFields(issues: readonly z.core.$ZodIssue[]): string {
  const fields = issues.map((issue) =>
    issue.code === "invalid_union"
      ? issue.errors.map(missingFields).filter(Boolean).join(" or ")
      : (issue.path[0] ?? ""),
  );
  const names = [...new Set(fields.map(String).filter(Boolean))];
  return names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
}
