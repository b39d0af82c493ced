import type { ByteRange } from '@sluice/ports';
import type { Request, Response } from 'express';
import { apiError, type HttpError } from '../errors/http-error';
import { drained } from './drained';
import type { FileReply, StreamProgress } from './stream-reply';

export interface FileSending {
  contentType: string;
  /** Milliseconds that the caller may let pass without reading. */
  idleMs: number;
  /** Is kept up to date. */
  progress: StreamProgress;
}

/**
 * Sends a file, or the one range of it that the request asks for (RFC 9110, 14). It is read no faster than its caller reads.
 * @throws HttpError 416; what `open` throws. Then nothing was sent. What breaks the bytes later, with the connection cut.
 */
export async function sendFile(request: Request, response: Response, file: FileReply, sending: FileSending): Promise<void> {
  const { contentType, idleMs, progress } = sending;
  const range = rangeOf(request, file);
  const length = range ? range.end - range.start + 1 : file.size;
  // Opened before the head is sent, so that a store that is away is still an answer of its own.
  const bytes = request.method === 'HEAD' ? undefined : await file.open(range);
  response.attachment(file.filename).set({
    'Content-Type': contentType,
    'Content-Length': String(length),
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private, no-store',
    ...(file.etag !== undefined && { ETag: file.etag }),
    ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${file.size}` }),
  });
  response.status(range ? 206 : 200).flushHeaders();
  try {
    for await (const chunk of bytes ?? []) {
      response.write(chunk);
      progress.sent += (chunk as Buffer).length;
      const state = await drained(response, idleMs);
      if (state === 'stalled') progress.end = 'caller_stalled';
      if (state !== 'open') return;
    }
    if (bytes && progress.sent !== length) throw new Error(`the file had ${progress.sent} bytes instead of ${length}`);
    progress.end = 'complete';
    response.end();
  } catch (error) {
    // The head is gone: only a connection that is cut says that this is not all.
    progress.end = 'failed';
    response.destroy();
    throw error;
  }
}

/**
 * undefined: the whole file, also for a unit or a form that is not known, and where the caller has part of another content.
 * @throws HttpError 416 for a range that begins behind the end, and for several ranges
 */
function rangeOf({ headers }: Request, { size, etag }: FileReply): ByteRange | undefined {
  const ifRange = headers['if-range'];
  const [, ranges] = /^bytes=([\d\s,-]+)$/i.exec(headers.range?.trim() ?? '') ?? [];
  if (ranges === undefined || (ifRange !== undefined && ifRange !== etag)) return undefined;
  if (ranges.includes(',')) throw unsatisfiable(size);
  const [, first = '', last = ''] = /^(\d*)-(\d*)$/.exec(ranges.trim()) ?? [];
  if (first === '') return last === '' ? undefined : lastBytes(size, Number(last));
  const [start, end] = [Number(first), last === '' ? size - 1 : Math.min(Number(last), size - 1)];
  if (last !== '' && Number(last) < start) return undefined;
  if (start >= size) throw unsatisfiable(size);
  return { start, end };
}

function lastBytes(size: number, count: number): ByteRange {
  if (count === 0 || size === 0) throw unsatisfiable(size);
  return { start: Math.max(size - count, 0), end: size - 1 };
}

const unsatisfiable = (size: number): HttpError =>
  apiError('Range Not Satisfiable', {}, { 'Content-Range': `bytes */${size}` });
