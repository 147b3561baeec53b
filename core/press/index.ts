export { author } from "./author.ts";
export { apiUrl, auditReportUrl, idIn, metaUrl, pageUrl, pathId, registration, slugFor } from "./links.ts";
export { dashboard, fullDashboard, own, ownPress } from "./own.ts";
export { list, read } from "./read.ts";
export { save } from "./save.ts";
export { toUsdg } from "./schema.ts";
export { type Sketch, sharedBy, sketchOf } from "./text.ts";
