import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Answer } from '../http/answer';
import { notFound, refuse } from '../http/refusal';
import type { Call, OpenRoute, PortalCall } from '../http/route';
import type { FileStore, StoredFile } from '../stores/file-store';
import { addressOf, needsSignature } from './present-file';

const signatureOf = (files: FileStore, file: StoredFile, expires: string): string =>
  createHmac('sha256', files.linkSecret).update(`${file.id}|${files.pathOf(file)}|${expires}`).digest('hex');

/** An address that anybody may read a file at until `expires` (epoch ms, whole seconds). */
export function signedAddress(call: PortalCall, file: StoredFile, expires: number): string {
  const until = String(Math.floor(expires / 1_000));
  return `${addressOf(call, file)}?Expires=${until}&Signature=${signatureOf(call.portal.files, file, until)}`;
}

function isSigned({ query, sim }: Call, files: FileStore, file: StoredFile): boolean {
  const expires = query.get('Expires') ?? '';
  const [given, wanted] = [query.get('Signature') ?? '', signatureOf(files, file, expires)].map((text) => Buffer.from(text));
  return given!.length === wanted!.length && timingSafeEqual(given!, wanted!) && Number(expires) * 1_000 > sim.now();
}

const types: Record<string, string> = {
  txt: 'text/plain', csv: 'text/csv', json: 'application/json', pdf: 'application/pdf', html: 'text/html',
  png: 'image/png', jpg: 'image/jpeg', jpeg: 'image/jpeg', gif: 'image/gif', svg: 'image/svg+xml', webp: 'image/webp',
};

function download(call: Call): Answer {
  const { portal: portalId, ...names } = call.params;
  const files = call.sim.portals.get(Number(portalId))?.files ?? refuse(notFound());
  const file = files.at(`/${Object.values(names).join('/')}`) ?? refuse(notFound());
  if (needsSignature(file.access) && !isSigned(call, files, file))
    refuse({ status: 403, message: 'The link is not valid or has expired' });
  return { status: 200, bytes: file.bytes, headers: { 'Content-Type': types[file.extension] ?? 'application/octet-stream' } };
}

/** The parts of a path of up to 9 names: `/:part0/:part1`. */
export const pathPatterns = Array.from({ length: 9 }, (_, depth) =>
  Array.from({ length: depth + 1 }, (__, part) => `/:part${part}`).join(''));

/** The bytes of files at their addresses, which need no token. */
export const downloadRoutes: readonly OpenRoute[] = pathPatterns.map((pattern) => ({
  method: 'GET', path: `/hubfs/:portal${pattern}`, auth: 'none', handle: download,
}));
