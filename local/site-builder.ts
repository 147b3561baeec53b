/**
 * The site is built in a worker, because a build takes several seconds of CPU time while the service starts. The worker receives the
 * directory to build into.
 */
import { workerData } from "node:worker_threads";
import * as z from "zod";
import { buildSite } from "../web/build.ts";

const { outDir } = z.object({ outDir: z.string() }).parse(workerData);

await buildSite(outDir, { devnet: true });
