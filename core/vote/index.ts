export { record } from "./record.ts";
export { tally } from "./tally.ts";
