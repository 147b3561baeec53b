import { DefaultReporter, type TestCase, type TestModule } from "vitest/node";

/** Shows what failed, how far a run at a terminal is, and its summary: what is green needs no line of its own. */
export class QuietReporter extends DefaultReporter {
  protected override printTestModule(module: TestModule): void {
    if (module.state() === "failed") super.printTestModule(module);
  }

  protected override printTestCase(state: ReturnType<TestModule["state"]>, test: TestCase): void {
    if (test.result().state === "failed") super.printTestCase(state, test);
  }
}
