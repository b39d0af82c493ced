/** Where test files run for a mutant: the first test that fails ends its file, because it has told enough. */
const { TestEnvironment } = require('jest-environment-node');

class FailFastEnvironment extends TestEnvironment {
  handleTestEvent({ name, test, describeBlock }) {
    if (name === 'test_done') this.failed ||= test.errors.length > 0;
    // Both come before jest asks whether to skip; a skipped describe runs no hooks.
    if (name === 'test_start' && this.failed) test.mode = 'skip';
    if (name === 'run_describe_start' && this.failed) describeBlock.mode = 'skip';
  }
}

module.exports = FailFastEnvironment;
