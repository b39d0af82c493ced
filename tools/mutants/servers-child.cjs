/** Starts the servers of the test kit for one lane and tells its parent where they are; they end with it. */
const { join } = require('node:path');
const { startTestServers } = require(join(process.cwd(), 'packages', 'testkit', 'dist', 'jest', 'test-servers.js'));

startTestServers().then(
  (servers) => {
    process.on('disconnect', () => servers.stop().finally(() => process.exit()));
    process.send({ env: Object.fromEntries(Object.entries(process.env).filter(([name]) => name.startsWith('SLUICE_TEST_'))) });
  },
  (error) => process.send({ why: String(error.stack ?? error) }, () => process.exit(1)),
);
