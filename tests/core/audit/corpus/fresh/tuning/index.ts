import type { CleanDraft } from "../../measured/form.ts";
import type { FreshFault } from "../form.ts";
import { columns } from "./columns.ts";
import { figures } from "./figures.ts";
import { injections } from "./injections.ts";
import { moments } from "./moments.ts";
import { reports } from "./reports.ts";

export const clean: readonly CleanDraft[] = [...reports, ...columns];
export const faulty: readonly FreshFault[] = [...figures, ...moments, ...injections];
