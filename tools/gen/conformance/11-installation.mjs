/** How the product is run: the single process, the images and manifests, what a supply chain needs. */
const tests = {
  'bounded log': 'services/standalone/src/folder/bounded-log.integration.test.ts',
  'control surface': 'packages/crm-simulator/src/control/control-surface.integration.test.ts',
  journal: 'packages/crm-simulator/src/journal/journal.integration.test.ts',
  'limits and tokens': 'packages/crm-simulator/src/state/limits-and-tokens.integration.test.ts',
  search: 'packages/crm-simulator/src/search/search.integration.test.ts',
  onboarding: 'test-e2e/src/onboarding.e2e.test.ts',
  'single process settings': 'services/standalone/src/settings.test.ts',
  'standalone folder': 'services/standalone/src/folder/folder.integration.test.ts',
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
        ['`npm start` (`SLUICE_PORT`, `SLUICE_DATA_DIR`, `SLUICE_CRM_SIMULATOR_PORT`) gets a newcomer to a record in the CRM', 'onboarding gets a record into the CRM with the commands of the quickstart'],
        ['It listens on loopback unless `SLUICE_HOST` says otherwise', 'single process settings `npm start` listens on loopback unless SLUICE_HOST says otherwise'],
        ['Secrets (`SLUICE_ENCRYPTION_KEYS`, `SLUICE_OPERATOR_TOKEN`) are made once per data folder', 'standalone folder makes secrets once, for this user only'],
        ['A second process on the same folder is refused', 'npm start a second one on the same folder is refused and names the first'],
        ['`SLUICE_METRICS_PORT` serves `/metrics`, `/livez` and `/readyz` on a port of their own', null],
        ['The log file and the file before it hold at most 10 MiB each', 'bounded log a log keeps its last lines in two files of bounded size, also over a restart'],
      ],
    },
    {
      title: 'The control surface of the CRM simulator',
      rules: [
        ['`POST /_sim/reset` leaves the default portal', 'control surface reset forgets everything but the default portal'],
        ['`POST /_sim/portals`, `PATCH /_sim/portals/{portal_id}`: tokens and records of its own', 'control surface gives each portal its own tokens and records'],
        ['Limits of a portal are off unless set', 'limits and tokens are off and silent unless set'],
        ['`search_lag_ms`: the search shows a write only later', 'search sees writes only after the index lag, and old values until then'],
        ['`POST /_sim/faults`: by portal, method, path and body, so many times', 'control surface strikes only the portal, method and body it is meant for, and goes when deleted'],
        ['`after_write` and `drop`', 'control surface can do the work first, then fail or cut the connection'],
        ['`DELETE /_sim/faults/{fault_id}`, `DELETE /_sim/faults`', 'control surface strikes only the portal, method and body it is meant for, and goes when deleted'],
        ['`GET /_sim/calls`', 'control surface shows calls with batch size, request and query, filtered'],
        ['`GET /_sim/stats`', 'control surface counts by route, with ids left out'],
        ['`GET /_sim/records` with write log and associations, archived ones too', 'control surface shows records with their write log, associations and archived ones'],
        ['`POST /_sim/edits`: create, update, delete, restore', 'control surface creates, updates with system properties, deletes and restores'],
        ['merge and associate', 'control surface merges and associates'],
        ['and it reaches the journal', 'journal tells of writes and edits, only subscribed properties, in order, by offset'],
        ['`POST /_sim/journal/expire`', 'journal gives batches, and 404 for offsets it does not know or has let go'],
        ['The authorize page gives `sim-code-<portal_id>`, good once', 'limits and tokens redeems an install code once'],
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
