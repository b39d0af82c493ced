import type { IncomingMessage } from 'node:http';
import { apiError, HttpError, type JsonShape, parseJson, unpackBody, validationEntry } from '@sluice/service-kit';

/** Fields of a form at most. */
const maxFields = 1_000;

/**
 * The body of a call whose sender is known: JSON, or the fields of a form. A promise only where it must be unpacked.
 * @param sent the bytes as they were sent
 * @param looked called with the shape of JSON text, also when it is refused
 * @throws HttpError 400, 413, 415, 422
 */
export function readWebhookBody(
  request: IncomingMessage, sent: Buffer, limit: number, looked: (shape: JsonShape) => void,
): unknown {
  if (sent.length === 0) throw apiError('Empty body');
  const kind = bodyKind(request.headers['content-type']);
  if (kind === null) throw apiError('Unsupported content type');
  const parse = (bytes: Buffer): unknown => {
    if (bytes.length === 0) throw apiError('Empty body');
    return kind === 'json' ? parseJson(bytes, looked) : parseForm(bytes, looked);
  };
  return request.headers['content-encoding'] === undefined ? parse(sent) : unpackBody(request, sent, limit).then(parse);
}

/** A sender that names no type sends JSON. */
function bodyKind(contentType: string | undefined): 'json' | 'form' | null {
  if (contentType === 'application/json') return 'json';
  const [type = ''] = (contentType ?? 'application/json').toLowerCase().split(';');
  if (/^application\/(?:[\w.+-]+\+)?json$/.test(type.trim())) return 'json';
  return type.trim() === 'application/x-www-form-urlencoded' ? 'form' : null;
}

/** Values are texts; a name that is given several times has a list of them. */
function parseForm(bytes: Buffer, looked: (shape: JsonShape) => void): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  let values = 0;
  for (const [name, value] of new URLSearchParams(bytes.toString('utf8'))) {
    values += 1;
    if (values > maxFields)
      throw new HttpError(422, [validationEntry('body', [], 'too_long', `A form should have at most ${maxFields} fields`, null)]);
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value]);
  }
  looked({ bytes: bytes.length, values, names: fields.size, problem: null });
  return Object.fromEntries(fields);
}
