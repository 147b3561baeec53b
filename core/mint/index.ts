export { confirm } from "./confirm.ts";
export { settle } from "./settle.ts";
