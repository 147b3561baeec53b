import { JsonReporter, type TestModule } from "vitest/node";

/**
 * Writes the JSON report of a whole run. A partial run does not replace the last report, because the counts of a partial run would mislead.
 */
export class WholeRunReport extends JsonReporter {
  override async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const { testNamePattern, shard } = this.ctx.config;
    const every = await this.ctx.globTestSpecifications();
    if (testNamePattern !== undefined || shard !== undefined || modules.length < every.length) return;
    await super.onTestRunEnd(modules);
  }
}
