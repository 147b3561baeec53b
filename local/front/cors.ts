import { cors } from "../../functions/routes.ts";
import type { Answer } from "./answer.ts";

/** Anyone may read an answer of the API, also a 402 and an error: a browser client pays by what stands in it. */
export function withCors(answer: Answer): Answer {
  return { ...answer, headers: { ...answer.headers, ...readable } };
}

/** What the gateway answers to any OPTIONS below the API, without asking a function. */
export const preflight: Answer = {
  status: 204,
  headers: {
    "access-control-allow-origin": cors.allowOrigins.join(", "),
    "access-control-allow-methods": cors.allowMethods.join(", "),
    "access-control-allow-headers": cors.allowHeaders.join(", "),
    "access-control-max-age": String(cors.maxAgeSeconds),
  },
  body: "",
};

const readable = {
  "access-control-allow-origin": cors.allowOrigins.join(", "),
  "access-control-expose-headers": cors.exposeHeaders.join(", "),
};
