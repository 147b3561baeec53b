import type { Settings } from "../../core/port/settings.ts";
import type { Operations } from "./operation.ts";
import { paying } from "./paying.ts";
import { drafting, publishing } from "./publishing.ts";
import { documents, reading } from "./reading.ts";
import { chain, signingIn } from "./wallets.ts";

/** What the document says of every route; a route without it does not compile. */
export function operations(settings: Settings): Operations {
  return {
    ...reading(settings),
    ...paying(settings),
    ...signingIn(settings),
    ...chain(settings),
    ...publishing(settings),
    ...drafting,
    ...documents(settings),
  };
}
