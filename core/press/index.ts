export { dashboard } from "./dashboard.ts";
export { pathId } from "./id.ts";
export { auditReportUrl, metaUrl, pageUrl } from "./links.ts";
export { list } from "./list.ts";
export { own } from "./own.ts";
export { read } from "./read.ts";
export { registration } from "./registration.ts";
export { save } from "./save.ts";
export { slugFor } from "./slug.ts";
