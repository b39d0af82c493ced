import { createHash, randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { defineRoute } from '@sluice/contracts';
import { implementRoute } from '../../routes/implement-route';
import type { ServerEvent } from '../stream-reply';

/** What the routes do with the bytes that they get, and where those come from that they give. */
export interface StreamingWorld {
  /** Reads a file of a form, or an upload. */
  sink(bytes: Readable): Promise<unknown>;
  openFile(wanted: Buffer): Promise<Readable>;
  /** What was opened of the file. */
  opened: Readable[];
  events(input: { signal: AbortSignal; lastEventId: string | null }): AsyncIterable<ServerEvent>;
}

/** What the download gives. */
export const file = randomBytes(1_500_000);

/** The SHA-256 of bytes, in hex. */
export const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

const importRoute = defineRoute({
  name: 'import_things', method: 'post', path: '/imports', tag: 'T', summary: 'Import', auth: 'none', audit: null,
  body: { type: 'object', additionalProperties: false, required: ['rows'], properties: { rows: { type: 'array' } } },
  form: {
    fields: {
      type: 'object', additionalProperties: false, required: ['entity'],
      properties: { entity: { type: 'string', minLength: 2 }, limit: { type: 'integer' }, note: { type: 'string' } },
    },
    fieldBytes: 100,
    files: {
      file: { description: 'Rows.', maxBytes: 2_000_000, required: true },
      mapping: { description: 'Columns.', maxBytes: 100, required: false },
    },
  },
  answers: { 202: { description: 'ok', schema: { type: 'object' } } },
  errors: [],
});
const uploadRoute = defineRoute({
  name: 'upload_thing', method: 'put', path: '/uploads', tag: 'T', summary: 'Upload', auth: 'none', audit: null,
  upload: { description: 'Bytes.', maxBytes: 3_000_000, contentTypes: ['application/zip'] },
  answers: { 200: { description: 'ok', schema: { type: 'object' } } },
  errors: [],
});
const downloadRoute = defineRoute({
  name: 'download_thing', method: 'get', path: '/files/:name', tag: 'T', summary: 'Download', auth: 'none',
  params: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  answers: { 200: { description: 'A file.', stream: 'file', contentType: 'application/zip' } },
  errors: [],
});
const eventsRoute = defineRoute({
  name: 'watch_things', method: 'get', path: '/events', tag: 'T', summary: 'Watch', auth: 'none',
  answers: {
    200: { description: 'Events.', stream: 'events', events: { step: { description: 'A step.', schema: { type: 'integer' } } } },
  },
  errors: [],
});

/** A route for each kind of stream: a form, an upload, a download and events. */
export function streamingRoutes(world: StreamingWorld) {
  return [
    implementRoute(importRoute, {
      handler: async ({ body, form }) => {
        if (!form) return { status: 202, body: { rows: body?.rows.length } };
        const { fields, files } = await form.receive({
          file: async ({ filename, contentType, bytes }) => ({ filename, contentType, got: await world.sink(bytes) }),
          mapping: async ({ bytes }) => String(await buffer(bytes)),
        });
        return { status: 202, body: { fields, ...files.file, mapping: files.mapping ?? null } };
      },
    }),
    implementRoute(uploadRoute, {
      handler: async ({ upload }) => ({ status: 200, body: { type: upload.contentType, got: await world.sink(upload.bytes) } }),
    }),
    implementRoute(downloadRoute, {
      handler: ({ params }) => ({
        status: 200,
        file: {
          size: file.length,
          filename: params.name,
          etag: '"v1"',
          open: async (range) => {
            const bytes = await world.openFile(file.subarray(range?.start, range && range.end + 1));
            world.opened.push(bytes);
            return bytes;
          },
        },
      }),
    }),
    implementRoute(eventsRoute, {
      handler: ({ signal, lastEventId }) => ({ status: 200, events: world.events({ signal, lastEventId }) }),
    }),
  ];
}
