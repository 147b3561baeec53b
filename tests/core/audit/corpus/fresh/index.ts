export * as tuning from "./tuning/index.ts";
