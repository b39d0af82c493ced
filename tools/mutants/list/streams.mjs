const streams = 'packages/service-kit/src/http/streams';
const unit = (file) => ({ project: 'unit', pattern: `service-kit/src/http/streams/${file}` });
const s3 = { project: 'integration', pattern: 'blob-s3/src' };
const folder = { project: 'integration', pattern: 'blob-folder/src' };

export default [
  { name: 'streams: a file of a form has no bound', file: `${streams}/receive-form.ts`, find: 'if (size > maxBytes) done', replace: 'if (size > maxBytes * 2) done', notice: unit('receive-form') },
  { name: 'streams: a form does not check its fields', file: `${streams}/receive-form.ts`, find: '[...check(fields), ...missing', replace: '[...missing', notice: unit('receive-form') },
  { name: 'streams: a required file may be missing', file: `${streams}/receive-form.ts`, find: 'required && !this.files.has(name)', replace: 'false', notice: unit('receive-form') },
  { name: 'streams: a sink that fails does not fail the form', file: `${streams}/receive-form.ts`, find: "    if (this.failure !== undefined) throw this.failure;\n    const fields", replace: '    const fields', notice: unit('receive-form') },
  { name: 'streams: an upload has no bound while it arrives', file: `${streams}/body-stream.ts`, find: '      if (size > maxBytes) throw tooLarge(maxBytes);\n      // Only', replace: '      // Only', notice: unit('body-stream') },
  { name: 'streams: a packed body may unpack to any size', file: `${streams}/body-stream.ts`, find: 'sent * maxRatio)) throw', replace: 'sent * 10_000)) throw', notice: unit('receive-form') },
  { name: 'streams: a slow sender is never cut', file: `${streams}/body-stream.ts`, find: 'if (pace.bytes >= leastBytes)', replace: 'if (pace.bytes >= 1)', notice: unit('body-stream') },
  { name: 'streams: a streamed body keeps the time limit of a request', file: `${streams}/request-deadline.ts`, find: 'if (own?.request === request) own.isLimited = false;', replace: 'void own;', notice: unit('body-stream') },
  { name: 'streams: several ranges are answered by the first', file: `${streams}/send-file.ts`, find: "if (ranges.includes(',')) throw unsatisfiable(size);", replace: "if (ranges.includes(',')) return { start: 0, end: 1 };", notice: unit('send-file') },
  { name: 'streams: a range goes behind the end', file: `${streams}/send-file.ts`, find: 'Math.min(Number(last), size - 1)', replace: 'Number(last)', notice: unit('send-file') },
  { name: 'streams: a part of another content is sent', file: `${streams}/send-file.ts`, find: '(ifRange !== undefined && ifRange !== etag)', replace: 'false', notice: unit('send-file') },
  { name: 'streams: a file that is too short ends like a whole one', file: `${streams}/send-file.ts`, find: 'if (bytes && progress.sent !== length) throw', replace: 'if (false) throw', notice: unit('send-file') },
  { name: 'streams: a download is kept by caches', file: `${streams}/send-file.ts`, find: "'private, no-store'", replace: "'private'", notice: unit('send-file') },
  { name: 'streams: a caller that reads nothing is never cut', file: `${streams}/drained.ts`, find: "if (state === 'stalled') response.destroy();", replace: '', notice: unit('send-file') },
  { name: 'streams: events go on while the server stops', file: `${streams}/send-events.ts`, find: "stopping.addEventListener('abort', stop, { once: true });", replace: '', notice: unit('open-streams') },
  { name: 'streams: silence carries no comment', file: `${streams}/send-events.ts`, find: "response.writableNeedDrain || response.write(':\\n\\n')", replace: 'response.writableNeedDrain', notice: unit('send-events') },
  { name: 'streams: the source of events never hears that the caller left', file: `${streams}/call-signal.ts`, find: '    abort();\n  });', replace: '  });', notice: unit('send-events') },
  { name: 'streams: one caller may have all', file: `${streams}/open-streams.ts`, find: 'own >= Math.ceil(max * shareOfCaller)', replace: 'own >= max', notice: unit('open-streams') },
  { name: 'streams: a stop waits for downloads without end', file: `${streams}/open-streams.ts`, find: 'this.open.forEach(({ socket }) => socket.destroy())', replace: 'undefined', notice: unit('open-streams') },
  { name: 'blobs: parts of a failed upload stay in the bucket', file: 'packages/adapters/blob-s3/src/put-object-stream.ts', find: 'new sdk.AbortMultipartUploadCommand(upload)', replace: 'new sdk.ListPartsCommand(upload)', notice: s3 },
  { name: 'blobs: a crashed upload is never given up', file: 'packages/adapters/blob-s3/src/delete-older-objects.ts', find: '  await giveUpUploads(older, send);\n', replace: '', notice: s3 },
  { name: 'blobs: reading does not go on after a cut', file: 'packages/adapters/blob-s3/src/read-object.ts', find: 'if (failures >= maxFailures) throw error;', replace: 'throw error;', notice: s3 },
  { name: 'blobs: reading goes on from the beginning', file: 'packages/adapters/blob-s3/src/read-object.ts', find: 'range: { start: at, end: range.end }', replace: 'range: { start: range.start, end: range.end }', notice: s3 },
  { name: 'blobs: a stream of a folder is seen before it is whole', file: 'packages/adapters/blob-folder/src/write-durably.ts', find: "join(dirname(path), `~${randomUUID()}`)", replace: 'path', notice: folder },
];
