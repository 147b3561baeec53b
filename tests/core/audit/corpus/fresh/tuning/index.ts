import type { Half } from "../form.ts";
import { columns } from "./columns.ts";
import * as desk from "./desk.ts";
import * as diaries from "./diaries.ts";
import { figures } from "./figures.ts";
import { injections } from "./injections.ts";
import { moments } from "./moments.ts";
import { aboutPrograms, amongQuotes } from "./programs.ts";
import { reports } from "./reports.ts";

export const tuning: Half = {
  clean: [...reports, ...columns, ...aboutPrograms, ...desk.clean, ...diaries.clean],
  faulty: [...figures, ...moments, ...injections, ...amongQuotes, ...desk.faulty, ...diaries.faulty],
};
