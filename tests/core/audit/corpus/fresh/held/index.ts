import type { Half } from "../form.ts";
import { news } from "./news.ts";
import { orders } from "./orders.ts";
import { sums } from "./sums.ts";
import { times } from "./times.ts";
import { views } from "./views.ts";

export const held: Half = { clean: [...news, ...views], faulty: [...sums, ...times, ...orders] };
