/** Ways to break files as a source that a test must notice. */
const files = 'services/journal-poller/src/files';
const reading = { project: 'integration', pattern: 'journal-poller/src/files/files' };
const resuming = { project: 'unit', pattern: 'journal-poller/src/files/read-file' };
const rows = { project: 'unit', pattern: 'sources/src/file/file-rows' };
const s3 = 'packages/adapters/files-s3/src';
const buckets = { project: 'integration', pattern: 'files-s3/src' };

export default [
  { name: 'files: rows that were queued are queued again', file: `${files}/read-file.ts`, find: 'if (this.total <= this.before) return;', replace: '', notice: resuming },
  { name: 'files: progress is stored while rows wait for their batch', file: `${files}/read-file.ts`, find: 'return;\n    await flush();', replace: 'return;', notice: resuming },
  { name: 'files: what follows the last full batch is lost', file: `${files}/read-file.ts`, find: '  await flush();\n  await files.end(', replace: '  await files.end(', notice: reading },
  { name: 'files: rows are ordered with the whole connector', file: `${files}/read-file.ts`, find: ', perRecord: true });', replace: ' });', notice: reading },
  { name: 'files: the content is kept', file: `${files}/read-file.ts`, find: 'if (blobKey !== null) await blobs.delete(blobKey)', replace: 'if (blobKey === null) await blobs.delete(String(blobKey))', notice: reading },
  { name: 'files: a heading may be there twice', file: 'packages/sources/src/file/csv-rows.ts', find: 'if (twice !== undefined) throw', replace: 'if (twice === null) throw', notice: rows },
  { name: 'files: a row with a wrong number of cells is an event', file: 'packages/sources/src/file/csv-rows.ts', find: 'if (record.length !== headings.length)', replace: 'if (record.length === 0)', notice: rows },
  { name: 'files: line breaks within a row do not count', file: 'packages/sources/src/file/csv-lines.ts', find: 'isTerminated ? 0 : 1) - breaks', replace: 'isTerminated ? 0 : 1)', notice: rows },
  { name: 'files: an unreadable row is told of at an empty line before it', file: 'packages/sources/src/file/csv-lines.ts', find: '&& this.ended[next]!.isEmpty', replace: '&& next < 0', notice: rows },
  { name: 'files: a bracket within a string ends an element', file: 'packages/sources/src/file/json-elements.ts', find: 'if (this.inString) return void this.inText(char);', replace: 'if (this.inString && this.escaped) return void this.inText(char);', notice: rows },
  { name: 'files: a line may be of any length', file: 'packages/sources/src/file/text-lines.ts', find: 'isCut ||= text.length > maxLine;', replace: 'isCut ||= false;', notice: rows },
  { name: 'buckets: an object may give more bytes than it listed', file: `${s3}/s3-object.ts`, find: 'if (left < 0) throw', replace: 'if (left < -1_000) throw', notice: buckets },
  { name: 'buckets: a changed object is read', file: `${s3}/s3-object.ts`, find: 'ETag !== this.object.etag', replace: "ETag === ''", notice: buckets },
  { name: 'buckets: the rest of a listing is left out', file: `${s3}/s3-files.ts`, find: 'if (from === undefined || this.listed.size >= most)', replace: 'if (page >= 0)', notice: buckets },
  { name: 'buckets: a private endpoint is called', file: `${s3}/s3-calls.ts`, find: 'if (this.addresses.isRefused(endpoint)) throw', replace: 'if (endpoint.hostname === "") throw', notice: buckets },
  { name: 'buckets: a name that leads to a private address is called', file: 'packages/rest-client/src/address-check.ts', find: 'const options = { keepAlive: true, maxSockets, lookup };', replace: 'const options = { keepAlive: true, maxSockets };', notice: buckets },
  { name: 'buckets: an answer may be of any length', file: `${s3}/s3-calls.ts`, find: 'if (size > maxAnswerBytes) throw', replace: 'if (size > 64 * maxAnswerBytes) throw', notice: buckets },
  { name: 'buckets: fields of buckets are taken with a folder', file: 'packages/sources/src/file/file.source.ts', find: "if (config.location?.startsWith('s3://')) return [];", replace: 'return [];', notice: { project: 'unit', pattern: 'sources/src/check-source' } },
];
