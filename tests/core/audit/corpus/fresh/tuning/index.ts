import type { Half } from "../form.ts";
import { columns } from "./columns.ts";
import { figures } from "./figures.ts";
import { injections } from "./injections.ts";
import { moments } from "./moments.ts";
import { reports } from "./reports.ts";

export const tuning: Half = {
  clean: [...reports, ...columns],
  faulty: [...figures, ...moments, ...injections],
};
