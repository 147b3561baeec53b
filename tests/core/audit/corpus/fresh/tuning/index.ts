import type { Half } from "../form.ts";
import { columns } from "./columns.ts";
import { figures } from "./figures.ts";
import { injections } from "./injections.ts";
import { moments } from "./moments.ts";
import { aboutPrograms, amongQuotes } from "./programs.ts";
import { reports } from "./reports.ts";

export const tuning: Half = {
  clean: [...reports, ...columns, ...aboutPrograms],
  faulty: [...figures, ...moments, ...injections, ...amongQuotes],
};
