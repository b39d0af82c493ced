/** Files as a source: uploads and watched locations. */
const tests = {
  routes: 'services/config-api/src/features/source-files/source-files.integration.test.ts',
  files: 'services/journal-poller/src/files/files.integration.test.ts',
  folders: 'services/journal-poller/src/files/watched-folders.integration.test.ts',
  buckets: 'services/journal-poller/src/files/watched-buckets.integration.test.ts',
  's3 files': 'packages/adapters/files-s3/src/s3-files.integration.test.ts',
  rows: 'packages/sources/src/file/file-rows.test.ts',
};

export const part = {
  tests,
  sections: [
    {
      title: 'File sources',
      rules: [
        ['`POST /api/connectors/{connector_id}/sources/{name}/files`: multipart `file`, 202 `{file_id, status}`', 'routes an upload is stored and answered with its id; the same name and content again is the first file'],
        ['`GET /api/connectors/{connector_id}/sources/{name}/files`: `{id, filename, status, rows_total, rows_queued, rows_discarded, received_at}`', 'routes an upload is stored and answered with its id; the same name and content again is the first file'],
        ['`GET /api/connectors/{connector_id}/sources/{name}/files/{file_id}` adds `discarded: [{line, reason}]`, lines of the file from 1', 'routes discarded rows are shown with their lines'],
        ['Statuses of a file: `received`, `processing`, `completed`, `failed`', 'files a file with a heading twice fails, and its source says so'],
        ['`format` csv, jsonl, json; `delimiter`; `encoding`', 'rows another delimiter and encoding'],
        ['A bad row is discarded with its line and the reason, the rest goes on; a wrong number of cells is one', 'files each row is an event, ordered per record; bad rows are told of with line and reason, the rest goes on'],
        ['A header with a name twice: the file fails', 'files a file with a heading twice fails, and its source says so'],
        ['Largest file 2 GiB: 413', 'routes a body over 2 GiB is refused before it is read'],
        ['A name and content that were taken already: 202 with the first `file_id`, nothing is queued again', 'files the same name and content again is the first file; another name is another file'],
        ['An upload while the connector is paused is kept', 'files a file waits while its connector is paused or its source is off'],
        ['A source of another type: 400 `source_takes_no_files`', 'routes an upload while the connector is paused is kept; for a source that is off, or of another type, it is refused'],
        ['`GET /api/connectors/{connector_id}/sources/{name}/files`: paged; each file in its own organization only', 'routes an upload while the connector is paused is kept; for a source that is off, or of another type, it is refused'],
        ['A process that dies in the middle of a file: no row is missed, and none is a second event', 'files a process that stops in the middle goes on behind the rows that were queued; no row is a second event'],
        ['A folder of `location` is watched: each of its files is read once by its name and content', 'folders each file of a folder is read once by its name and content, also by a process that knows nothing of it'],
        ['A file in a known state is not read again, also by a process that starts later', 'folders a file in a state that is known is not read again by a process that starts later'],
        ['Every component of the path is opened without following links; only regular files', 'folders hidden files, folders, links and files that are still written are left alone'],
        ['A folder that cannot be watched is the `last_error`', 'folders a folder that is not there, or is a link, is the last error until it can be watched'],
        ['Folders of a connector that is paused are not watched', 'folders nothing is taken while the connector is paused; what is there is taken afterwards'],
        ['An `s3://` prefix of `location` is watched', 'buckets each object below a prefix is read once by its key and content, also by a process that knows nothing of it'],
        ['A bucket is read with a credential of the organization, never with the rights of the service', 'buckets a bucket is read with the login of its source only; what is missing is the last error'],
        ['The endpoint of a bucket is checked like every URL', 's3 files is not called at a private address, neither as an address nor by a name that leads to one'],
        ['Rows are ordered per record; event type `<source>.row`', 'files json and jsonl; the type without another one is <source>.row'],
      ],
    },
  ],
};
