import { invalid, refuse } from '../http/refusal';
import { isObject, type JsonObject } from '../http/request-body';
import type { PortalCall } from '../http/route';
import type { StoredFolder } from '../stores/file-store';

const accessLevels: ReadonlySet<string> = new Set([
  'PUBLIC_INDEXABLE', 'PUBLIC_NOT_INDEXABLE', 'HIDDEN_INDEXABLE', 'HIDDEN_NOT_INDEXABLE', 'HIDDEN_PRIVATE', 'PRIVATE',
  'HIDDEN_SENSITIVE', 'SENSITIVE',
]);

/** An upload that may be carried out. */
export interface Upload {
  readonly fileName: string;
  readonly bytes: Buffer;
  readonly folder: StoredFolder;
  readonly access: string;
  readonly overwrite: boolean;
  readonly duplicates: 'NONE' | 'REJECT' | 'RETURN_EXISTING';
  readonly scope: 'ENTIRE_PORTAL' | 'EXACT_FOLDER';
  readonly ttlMs?: number;
}

/** Reads the multipart body of an upload; missing or invalid parts are refused. */
export async function readUpload(call: PortalCall): Promise<Upload> {
  const { name, bytes, text } = await partsOf(call);
  const options = text('options') ?? refuse(invalid('The options part is required'));
  const folder = folderNamed(call, text('folderId'), text('folderPath'));
  return { fileName: text('fileName') ?? name, bytes, folder, ...readOptions(parsed(options)) };
}

/** Reads the multipart body of a replacement: the new bytes, and what its `options`, which may be absent, say. */
export async function readReplacement(call: PortalCall): Promise<{ bytes: Buffer; options: JsonObject }> {
  const { bytes, text } = await partsOf(call);
  const options = text('options');
  return { bytes, options: options === undefined ? {} : parsed(options) };
}

interface Parts {
  readonly name: string;
  readonly bytes: Buffer;
  /** A text part; undefined when it is absent or empty. */
  text(name: string): string | undefined;
}

async function partsOf(call: PortalCall): Promise<Parts> {
  const form = await formOf(call);
  const file = form.get('file');
  if (file === null || typeof file === 'string') return refuse(invalid('The file part is required'));
  const text = (name: string): string | undefined => {
    const value = form.get(name);
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  return { name: file.name, bytes: Buffer.from(await file.arrayBuffer()), text };
}

async function formOf(call: PortalCall): Promise<FormData> {
  if (!call.contentType.startsWith('multipart/form-data'))
    return refuse({ status: 415, message: 'HTTP 415 Unsupported Media Type' });
  try {
    return await new Response(new Uint8Array(call.bytes), { headers: { 'content-type': call.contentType } }).formData();
  } catch {
    return refuse(invalid('The multipart body cannot be read'));
  }
}

/** The folder that a request names by exactly one of its id and its path, which is made when it is missing. */
export function folderNamed({ portal }: PortalCall, id: string | undefined, path: string | undefined): StoredFolder {
  if ((id === undefined) === (path === undefined)) refuse(invalid('One of folderId and folderPath is required'));
  if (path !== undefined) return portal.files.folder(path);
  return portal.files.folderById(id!) ?? refuse(invalid(`Folder ${id} does not exist`));
}

/** What an upload's options, or the body of an import, say about the file. */
export function readOptions(options: JsonObject): Omit<Upload, 'fileName' | 'bytes' | 'folder'> {
  const access = readAccess(options['access']);
  const duplicates = oneOf(options, 'duplicateValidationStrategy', ['NONE', 'REJECT', 'RETURN_EXISTING'] as const);
  const scope = oneOf(options, 'duplicateValidationScope', ['ENTIRE_PORTAL', 'EXACT_FOLDER'] as const);
  const ttl = options['ttl'] === undefined ? {} : { ttlMs: durationMs(String(options['ttl'])) };
  return { access, overwrite: options['overwrite'] === true, duplicates, scope, ...ttl };
}

/** Refuses what is no access level. */
export function readAccess(access: unknown): string {
  const text = String(access ?? '');
  return accessLevels.has(text) ? text : refuse(invalid('options.access is required and must be one of the access levels'));
}

function parsed(text: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Refused below: the part is no JSON object.
  }
  return refuse(invalid('The options part must be a JSON object'));
}

function oneOf<const W extends string>(options: JsonObject, name: string, words: readonly [W, ...W[]]): W {
  const value = options[name] ?? words[0];
  return words.find((word) => word === value) ?? refuse(invalid(`options.${name} must be one of ${words.join(', ')}`));
}

const dayMs = 86_400_000;

/** `P1D` to `P1Y`, as far as a life of a file is written in days, weeks, months and years. */
export function durationMs(text: string): number {
  const [, years = 0, months = 0, weeks = 0, days = 0] = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?$/.exec(text) ?? [];
  const ms = (Number(years) * 365 + Number(months) * 30 + Number(weeks) * 7 + Number(days)) * dayMs;
  return ms >= dayMs && ms <= 366 * dayMs ? ms : refuse(invalid('options.ttl must be a duration between P1D and P1Y'));
}
