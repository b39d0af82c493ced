/** Files as a source: uploads and watched locations. */
const tests = {};

export const part = {
  tests,
  sections: [
    {
      title: 'File sources',
      rules: [
        ['`POST /api/connectors/{connector_id}/sources/{name}/files`: multipart `file`, 202 `{file_id, status}`', null],
        ['`GET /api/connectors/{connector_id}/sources/{name}/files`: `{id, filename, status, rows_total, rows_queued, rows_discarded, received_at}`', null],
        ['`GET /api/connectors/{connector_id}/sources/{name}/files/{file_id}` adds `discarded: [{line, reason}]`, lines of the file from 1', null],
        ['Statuses of a file: `received`, `processing`, `completed`, `failed`', null],
        ['`format` csv, jsonl, json; `delimiter`; `encoding`', null],
        ['A bad row is discarded with its line and the reason, the rest goes on; a wrong number of cells is one', null],
        ['A header with a name twice: the file fails', null],
        ['Largest file 2 GiB: 413', null],
        ['A name and content that were taken already: 202 with the first `file_id`, nothing is queued again', null],
        ['An upload while the connector is paused is kept', null],
        ['A folder or `s3://` prefix of `location` is watched', null],
        ['Rows are ordered per record; event type `<source>.row`', null],
      ],
    },
  ],
};
