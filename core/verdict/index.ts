export { post, type VerdictPorts } from "./post.ts";
export type { Posting } from "./record.ts";
export { latestReport, publishedReport } from "./report.ts";
