export * from "./accounts.ts";
export * from "./price.ts";
export * from "./rehearsal.ts";
