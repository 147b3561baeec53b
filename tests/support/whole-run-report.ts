import { JsonReporter, type TestModule } from "vitest/node";

/** The JSON report of a run of every test. A run of some of them leaves the last one as it is: its counts would mislead. */
export class WholeRunReport extends JsonReporter {
  override async onTestRunEnd(modules: readonly TestModule[]): Promise<void> {
    const { testNamePattern, shard } = this.ctx.config;
    const every = await this.ctx.globTestSpecifications();
    if (testNamePattern !== undefined || shard !== undefined || modules.length < every.length) return;
    await super.onTestRunEnd(modules);
  }
}
