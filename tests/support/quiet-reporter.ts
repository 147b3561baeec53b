import { DefaultReporter, type TestCase, type TestModule } from "vitest/node";

/** Shows failures, the summary and, at a terminal, the progress. Tests that succeed get no line. */
export class QuietReporter extends DefaultReporter {
  protected override printTestModule(module: TestModule): void {
    if (module.state() === "failed") super.printTestModule(module);
  }

  protected override printTestCase(state: ReturnType<TestModule["state"]>, test: TestCase): void {
    if (test.result().state === "failed") super.printTestCase(state, test);
  }
}
