import { bodyLimit, type Route } from "../routes.ts";
import type { Operation, Refusals } from "./operation.ts";

const signIn = { no_session: "There is no session, or it has expired." };
const signInToPublish = {
  sign_in_required: "The session was born from a payment, which lets its wallet read but not publish.",
};
const origin = { wrong_origin: "The request comes from another site's page." };

const body: Refusals = {
  400: {
    malformed_json: "The body is not valid JSON.",
    invalid_input: "It is not of this form; see issues.",
  },
  413: { body_too_large: `The body is larger than ${bodyLimit / 1024} kB.` },
  415: { not_json: "The body is not sent as application/json." },
};

const always: Refusals = {
  429: { "": "Too many requests from this address; such an answer may come without this body." },
  431: {
    headers_too_large:
      "First line and headers have more than 10,240 bytes. Such an answer may come without this body.",
  },
  500: { internal: "A fault of ours, logged under the request id." },
};

/** What every route of its kind may refuse, beside what the operation itself says. */
export function refusalsOf(route: Route, operation: Operation): Refusals {
  return [
    operation.refusals ?? {},
    operation.body === undefined ? {} : body,
    callers[route.caller],
    route.touches.length === 0 ? {} : { 503: { temporarily_unavailable: "Something we depend on failed." } },
    always,
  ].reduce(joined);
}

const callers: Readonly<Record<Route["caller"], Refusals>> = {
  anyone: {},
  payer: {},
  site: { 403: origin },
  session: { 401: signIn, 403: origin },
  publisher: { 401: { ...signIn, ...signInToPublish }, 403: origin },
};

function joined(some: Refusals, others: Refusals): Refusals {
  const all = { ...some };
  for (const [status, codes] of Object.entries(others)) {
    all[Number(status)] = { ...all[Number(status)], ...codes };
  }
  return all;
}
