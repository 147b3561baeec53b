export { apiUrl, auditReportUrl, idIn, metaUrl, pageUrl, pathId, slugFor } from "./links.ts";
export { toUsdg } from "./price.ts";
export { dashboard, list, own, read } from "./read.ts";
export { registration } from "./registration.ts";
export { save } from "./save.ts";
export { type Sketch, sharedBy, sketchOf } from "./sketch.ts";
