export { angles } from "./angles.ts";
export { generate } from "./generate.ts";
export { sourcesOf } from "./read.ts";
