export { dispute } from "./dispute.ts";
export { gather } from "./facts.ts";
export { faultOfOwn, inspect } from "./inspect.ts";
export { review, run } from "./run.ts";
export { store } from "./store.ts";
