export { held } from "./held/index.ts";
export { tuning } from "./tuning/index.ts";
