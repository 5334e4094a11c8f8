import type { Reporter, TestModule } from 'vitest/node';

/** Ends the report with one line that scripts can read: `12 passed, 0 failed`. */
export default class Counts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()]);
    const passed = tests.filter((one) => one.result().state === 'passed').length;
    const failed = tests.filter((one) => one.result().state === 'failed').length;
    // A file that cannot be read and an error outside all tests fail the run as a test does.
    const broken = modules.filter((module) => module.errors().length > 0).length;
    console.log(`${passed} passed, ${failed + broken + errors.length} failed`);
  }
}
