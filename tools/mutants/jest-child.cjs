/**
 * Runs test files with the jest settings of the folder it is started in, one request of its parent after the other. A second
 * run in the same process starts in a tenth of the time: jest, its map of the files and compiled modules are there already.
 * Each test file has module instances of its own, as ever; jest knows a compiled file by its path, time and text.
 */
const { join } = require('node:path');
const { runCLI } = require('jest');

const { projects, testTimeout } = require(join(process.cwd(), 'jest.config.js'));
/** A unit test takes a second: one that hangs with a mutant is not waited for as long as all tests may take. */
const unitTimeout = 20_000;

/** Servers are started and ended by the parent, which tells where they are. */
function configOf(project) {
  const { globalSetup, globalTeardown, ...config } = projects.find(({ displayName }) => displayName === project);
  const testEnvironment = join(__dirname, 'fail-fast-environment.cjs');
  return { ...config, testEnvironment, testTimeout: project === 'unit' ? unitTimeout : testTimeout };
}

/** One file after the other, until one does not pass: jest itself would end the process when told to stop there. */
async function run({ project, files, env }) {
  Object.assign(process.env, env);
  let passedTests = 0;
  for (const file of files) {
    const results = await runFile(project, file);
    passedTests += results.numPassedTests;
    if (!results.success) return { passed: false, failedTests: results.numFailedTests, told: toldBy(results) };
  }
  return { passed: passedTests > 0, failedTests: 0, told: {} };
}

async function runFile(project, file) {
  const folder = process.cwd();
  const settings = { ci: true, runInBand: true, silent: true, reporters: [], runTestsByPath: true, watchman: false };
  const cache = { cacheDirectory: join(folder, '.cache', 'jest') };
  const argv = { ...settings, ...cache, config: JSON.stringify(configOf(project)), _: [file], $0: 'jest' };
  return (await runCLI(argv, [folder])).results;
}

/** The first test that failed and why, or why a file did not run. */
function toldBy({ testResults }) {
  const file = testResults.find((each) => each.numFailingTests > 0 || each.testExecError);
  const test = file?.testResults.find(({ status }) => status === 'failed');
  const plain = (text) => String(text ?? '').replace(/\u001b\[[0-9;]*m/g, '');
  return test ? { test: test.fullName, why: plain(test.failureMessages[0]) } : { why: plain(file?.failureMessage) };
}

process.on('message', (request) => {
  run(request).then(
    (result) => process.send(result),
    (error) => process.send({ passed: false, failedTests: 0, told: { why: String(error.stack ?? error) } }),
  );
});
process.on('disconnect', () => process.exit());
