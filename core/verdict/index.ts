export type { VerdictPorts } from "./ports.ts";
export { post } from "./post.ts";
export type { Posting } from "./record.ts";
export { latestReport, publishedReport } from "./report.ts";
