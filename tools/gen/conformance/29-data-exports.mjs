/** Data exports: the package, its states and its links. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'Data exports',
      rules: [
        ['`POST /api/data-exports` for the organization or `{connector_id}`: 202 with the export; owners and organization keys, a member 403', null],
        ['`GET /api/data-exports`: `{exports: [...]}`, the 20 most recent; `GET /api/data-exports/{export_id}`', null],
        ['`GET /api/data-exports/{export_id}/download`: `{url, filename, expires_in_seconds}`, good for `SLUICE_EXPORT_LINK_TTL` (300 s) without a session; a changed link 403', null],
        ['409 `data_export_not_ready`, 410 `data_export_expired`, 410 `data_export_failed`', null],
        ['409 `data_export_in_progress` with `export_id`: one per scope', null],
        ['429 `data_export_limit_reached`: 10 in 24 hours; failed ones count', null],
        ['503 `data_export_unavailable`', null],
        ['`queued`, `running`, `completed`, `failed`, `expired`', null],
        ['Three attempts (`SLUICE_EXPORT_RETRY_WAITS`), then `failed`, `export_failed`', null],
        ['`failed`, `scope_not_found` when its connector is deleted; `failed`, `organization_closed` at the end of the recovery period', null],
        ['`expired` after `SLUICE_EXPORT_TTL` (7 days), or when a connector of the organization is deleted; one that runs is prepared again without that connector', null],
        ['The package: every file is there, `manifest.json` names files, records and bytes, `exclusions[]` what is left out', null],
        ['Lines have the documented fields, null where empty, UTC times', null],
        ['No secret is in a package', null],
        ['ZIP64 where needed; one consistent snapshot; flat memory', null],
        ['`sluice export verify <zip>` and `sluice import <zip>`', null],
      ],
    },
  ],
};
