export { metaUrl } from "./links.ts";
export { list } from "./list.ts";
export { read } from "./read.ts";
export { registration } from "./registration.ts";
export { save } from "./save.ts";
export { slugFor } from "./slug.ts";
