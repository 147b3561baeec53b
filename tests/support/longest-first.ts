import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** From 60 down to 15 seconds. A long file that begins last leaves the other workers with nothing to do. */
const longest = [
  "core/payment/crash-recovery",
  "web/browser/trouble",
  "web/browser/publisher",
  "local/start",
  "web/browser/reader",
  "core/payment/explore",
  "infra/rehearsal",
  "core/payment/crash",
  "core/payment/pending",
  "web/browser/access",
  "core/payment/model",
  "core/payment/differential",
  "core/payment/load",
  "infra/bundles",
  "local/devnet-survival",
  "core/payment/batch",
  "attack/gas-drain",
  "web/browser/load",
  "core/mint/burst",
  "attack/mint-flood",
  "core/market/market",
  "core/relayer/pool",
  "core/payment/verify-faults",
  "client/guides",
  "core/verdict/crash",
  "local/database/engines",
].map((name) => `/tests/${name}.test.ts`);

/** Within a project the long files go first: Vitest knows how long a file takes only where it ran before. */
export class LongestFirst extends BaseSequencer {
  /** Throws where the list names a file that is not there: it would begin last again without a word. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const missing = longest.filter((name) => !existsSync(join(this.ctx.config.root, name)));
    if (missing.length > 0)
      throw new Error(`tests/support/longest-first.ts names ${missing}, which is not there.`);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = longest.findIndex((name) => moduleId.endsWith(name));
      return index < 0 ? longest.length : index;
    };
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((a, b) => rank(a) - rank(b)),
    );
  }
}
