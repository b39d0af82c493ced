import { sha256 } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';
import { decodeBase64, encodeBase64 } from '../base64';
import { builtin, cannot, ok, textBuiltin, type TransformDefinition, type TransformResult } from './transform';

/** Texts, JSON, hashes and base64. */
export const encodingTransforms: readonly TransformDefinition[] = [
  builtin(
    'to_string',
    'The text of a number or boolean; JSON of a list or object.',
    (value) => ok(typeof value === 'object' ? JSON.stringify(value) : String(value)),
    { readsDeep: true },
  ),
  builtin('to_boolean', 'true or false from a boolean, 1/0, or a text such as true, yes, on, false, no, off.', toBoolean),
  builtin('json_stringify', 'JSON text of any value.', (value) => ok(JSON.stringify(value)), {
    takesList: true,
    readsDeep: true,
  }),
  textBuiltin('json_parse', 'The value that a JSON text holds.', (text) => {
    try {
      return ok(JSON.parse(text));
    } catch {
      return cannot('it is no JSON');
    }
  }),
  textBuiltin('sha256', 'SHA-256 of the text in UTF-8, lower case hex.', (text) => bytesToHex(sha256(utf8ToBytes(text))), {
    shortens: true,
  }),
  textBuiltin('base64_encode', 'Base64 of the text in UTF-8.', (text) => encodeBase64(utf8ToBytes(text))),
  textBuiltin('base64_decode', 'The UTF-8 text that a base64 text holds.', (text) => {
    const decoded = decodeBase64(text);
    return decoded === null ? cannot('it is no base64 of a UTF-8 text') : ok(decoded);
  }),
];

const truths = new Map<string, boolean>([
  ...['true', 'yes', 'y', 'on', '1', 't'].map((word) => [word, true] as const),
  ...['false', 'no', 'n', 'off', '0', 'f'].map((word) => [word, false] as const),
]);

function toBoolean(value: unknown): TransformResult {
  if (typeof value === 'object') return cannot('it needs a text, number or boolean');
  const truth = truths.get(String(value).trim().toLowerCase());
  return truth === undefined ? cannot('it is neither true nor false') : ok(truth);
}
