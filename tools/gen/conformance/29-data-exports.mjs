/** Data exports: the package, its states and its links. */
const tests = {
  e2e: 'test-e2e/src/imports.e2e.test.ts',
  routes: 'services/config-api/src/features/exports/exports.integration.test.ts',
  links: 'services/config-api/src/features/exports/package-links.test.ts',
  store: 'packages/ports/src/testing/exports/export-store-conformance.ts',
  preparing: 'services/export-worker/src/prepare/preparation.test.ts',
  package: 'packages/data-package/src/data-package.integration.test.ts',
  snapshot: 'packages/adapters/store-postgres/src/exports/export-snapshot.integration.test.ts',
  command: 'packages/cli/src/verify-export-command.integration.test.ts',
  masks: 'packages/data-package/src/mask-secrets.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'Data exports',
      rules: [
        ['`POST /api/data-exports` for the organization or `{connector_id}`: 202 with the export; owners and organization keys, a member 403', 'routes owners and organization keys have them, members do not, and another organization sees nothing'],
        ['`GET /api/data-exports`: `{exports: [...]}`, the 20 most recent; `GET /api/data-exports/{export_id}`', 'routes an export is asked for, listed, and has its package behind a link that needs no sign-in'],
        ['`GET /api/data-exports/{export_id}/download`: `{url, filename, expires_in_seconds}`, good for `SLUICE_EXPORT_LINK_TTL` (300 s) without a session', 'routes an export is asked for, listed, and has its package behind a link that needs no sign-in'],
        ['`GET /api/data-exports/{export_id}/package`: the package, with `Range`; a changed link 403 `link_invalid`, an old one 410 `link_expired`', 'routes a link is good for its time and its package, in any instance'],
        ['A link is good for its export, its file and its time alone', 'links a link that was changed in any way is none'],
        ['Who had a link and who used it is in the audit log', 'routes who had a link and who used it is in the audit log, with the address; the query is in no log line'],
        ['Where a key asks for an export, the owners get a mail', 'routes where a key asks, the owners get a mail that says so'],
        ['409 `data_export_not_ready`, 410 `data_export_expired`, 410 `data_export_failed`', 'routes a package that is gone or never was: 410'],
        ['409 `data_export_in_progress` with `export_id`: one per scope', 'routes a connector is a scope of its own'],
        ['429 `data_export_limit_reached`: 10 in 24 hours; failed ones count', 'routes ten within 24 hours, failed ones too, also at the same moment'],
        ['503 `data_export_unavailable`', 'routes while the store of packages is away nothing is queued: 503'],
        ['`queued`, `running`, `completed`, `failed`, `expired`', 'store is asked for, prepared and kept for its time'],
        ['Three attempts (`SLUICE_EXPORT_RETRY_WAITS`), then `failed`, `export_failed`', 'preparing is tried as often as there are waits and once more, and fails then'],
        ['`failed`, `scope_not_found` when its connector is deleted; `failed`, `organization_closed` at the end of the recovery period', 'store a closed organization has no package, and none is prepared for it'],
        ['`expired` after `SLUICE_EXPORT_TTL` (7 days), or when a connector of the organization is deleted; one that runs is prepared again without that connector', 'store the deletion of a connector expires all packages, ends its own export and begins the others again'],
        ['An expired package is deleted', 'preparing the sweep deletes packages whose time is over, and what runs that died have left'],
        ['The package: every file is there, `manifest.json` names files, records and bytes, `exclusions[]` what is left out', 'package a package has every file, the manifest names what is in it, and it is what its manifest says'],
        ['Lines have the documented fields, null where empty, UTC times', 'snapshot every line fits the schema of its file, whatever texts it holds'],
        ['Values of a config that may be secrets are masked', 'masks masks a header'],
        ['No secret is in a package', 'e2e an export ends whole, without a secret, and is restored into an empty organization, whose export is equal'],
        ['One consistent snapshot', 'snapshot sees one moment, however long it is read'],
        ['Flat memory', 'package is written no faster than it is read, in flat memory'],
        ['The archive opens with Info-ZIP, Python and yauzl', 'package Info-ZIP and Python open it'],
        ['A hostile archive is refused before it is unpacked', 'package a name that leaves the folder'],
        ['`sluice export verify <zip>` checks manifest, counts and hashes', 'command tells that a package is whole, file by file'],
        ['`sluice import <zip>` restores connectors, configuration, plugins and mappings into an empty organization', 'e2e an export ends whole, without a secret, and is restored into an empty organization, whose export is equal'],
      ],
    },
  ],
};
