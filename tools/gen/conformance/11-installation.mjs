/** How the product is run: the single process, the images and manifests, what a supply chain needs. */
const tests = {
  'bounded log': 'services/standalone/src/folder/bounded-log.integration.test.ts',
  'npm start': 'test-e2e/src/standalone.e2e.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'The single process',
      rules: [
        ['`npm start` writes no log line below `warn` between its progress lines and its tables; every line is in a file of the data folder', 'npm start without a terminal it prints its progress and its tables; log lines below warn are only in the file'],
        ['The log file and the file before it hold at most 10 MiB each', 'bounded log a log keeps its last lines in two files of bounded size, also over a restart'],
      ],
    },
  ],
};
