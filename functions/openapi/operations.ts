import type { Settings } from "../../core/port/settings.ts";
import { chain } from "./chain.ts";
import { documents } from "./documents.ts";
import { drafting } from "./drafting.ts";
import type { Operations } from "./operation.ts";
import { paying } from "./paying.ts";
import { publishing } from "./publishing.ts";
import { reading } from "./reading.ts";
import { signingIn } from "./signing-in.ts";

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
