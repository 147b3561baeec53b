export { dispute } from "./dispute.ts";
export { gather } from "./facts.ts";
export { faultOfOwn } from "./own.ts";
export { review } from "./review.ts";
export { inspect } from "./rule/index.ts";
export { run } from "./run.ts";
export { store } from "./store.ts";
