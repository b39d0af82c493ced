/** How the product is run: the single process, the images and manifests, what a supply chain needs. */
const tests = {
  'bounded log': 'services/standalone/src/folder/bounded-log.integration.test.ts',
  'client operations': 'packages/crm-simulator/src/official-client-operations.test.ts',
  'client, files': 'packages/crm-simulator/src/official-client-files.integration.test.ts',
  'client, forms': 'packages/crm-simulator/src/official-client-forms.integration.test.ts',
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
    {
      title: 'The CRM simulator and the official client',
      rules: [
        ['In an area that the simulator serves it serves every operation of the official client, except the report of high association usage', 'client operations an area of the CRM is served with every operation that the official client has there'],
        ['A call that succeeds answers the very code that the official client takes: every call of the simulator\'s tests is compared', 'client operations the codes that the client takes are found by call'],
        ['A private file is read at its signed address only, until it expires; a public one at its own address', 'client, files reads a private file at its signed address only, and only until it expires'],
        ['`PUT /files/v3/files/{fileId}` replaces the bytes of a file under its id, name and address', 'client, files replaces the bytes of a file under its id, name and address'],
        ['`GET /files/v3/files/search` finds files by their properties, sorted and in pages', 'client, files searches files, sorted and in pages'],
        ['`POST /files/v3/files/import-from-url/async` imports a file; its task says how that ended', 'client, files imports a file from an address'],
        ['Folders are read, searched, renamed, moved and removed', 'client, files finds, renames and removes folders with what is in them'],
        ['Forms are made (201), read, listed in pages, changed, replaced and archived', 'client, forms are made, read, listed, changed and archived by the official client'],
      ],
    },
  ],
};
