import { existsSync } from "node:fs";
import { join } from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The slowest test files, from a duration of 130 seconds to a duration of ten seconds. If a slow test file started last, the other workers
 * would be idle until its end.
 */
export const longest = [
  "web/browser/trouble",
  "web/browser/publisher",
  "web/browser/purse",
  "web/browser/access",
  "local/start",
  "infra/rehearsal",
  "infra/iam",
  "attack/hung-up-programs",
  "attack/audit-cost",
  "core/payment/explore",
  "web/browser/reader",
  "web/browser/author",
  "client/package",
  "web/browser/editor",
  "attack/gas-budget",
  "attack/gas-drain",
  "core/payment/batch",
  "infra/guard",
  "client/buy",
  "local/devnet-survival",
  "infra/bundles",
  "client/command",
  "infra/restore",
  "client/mcp",
  "infra/paid-read",
  "attack/mint-flood",
  "core/payment/load",
  "web/publish/article",
  "web/browser/load",
  "core/payment/verify-faults",
  "web/build",
  "client/guides",
  "infra/check-stage",
  "local/testnet",
  "infra/plain-cdk",
  "core/verdict/crash",
  "local/database/alike",
  "spec/publishing",
  "spec/endpoints",
  "core/payment/repair",
  "functions/request-budget",
  "spec/payments",
  "core/audit/rules",
  "core/audit/run",
  "core/payment/pending",
  "core/payment/wallets",
  "core/payment/guards",
  "web/showable",
  "core/audit/floor",
  "web/sample",
  "core/payment/credit",
  "spec/resources",
  "core/payment/identifier",
  "core/payment/reconcile",
  "core/audit/injection",
  "core/relayer/pool",
  "core/discovery/feed",
  "core/payment/eip3009",
  "spec/endpoints",
  "core/audit/outage",
  "spec/payments",
  "core/mint/settle",
  "core/payment/repair",
  "functions/openapi-examples",
  "core/verdict/resolve",
  "functions/observed",
  "core/session/session",
  "functions/press-audit",
  "spec/resources",
  "core/relayer/kms-signer",
  "functions/request-budget",
  "core/vote/record",
  "core/vote/race",
  "functions/press",
  "functions/manuscripts",
];

const endings = longest.map((name) => `/tests/${name}.test.ts`);

/**
 * In each project, starts the test files of `longest` first. Vitest itself knows the duration of a test file only after a run of this file
 * on this machine.
 */
export class LongestFirst extends BaseSequencer {
  /** Throws if a listed file is missing, because otherwise nobody would notice that a renamed file starts last. */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const missing = endings.filter((name) => !existsSync(join(this.ctx.config.root, name)));
    if (missing.length > 0)
      throw new Error(`tests/support/longest-first.ts names ${missing}, which is not there.`);
    const rank = ({ moduleId }: TestSpecification): number => {
      const index = endings.findIndex((name) => moduleId.endsWith(name));
      return index < 0 ? endings.length : index;
    };
    const sorted = await super.sort(files);
    const projects = [...new Set(sorted.map(({ project }) => project))];
    return projects.flatMap((project) =>
      sorted.filter((file) => file.project === project).sort((a, b) => rank(a) - rank(b)),
    );
  }
}
