import { maskedMark, maskText } from './mask-text';

const secretName = /authorization|password|passwd|passphrase|secret|cookie|api_?key|access_?key|private_?key|token$|signature$/i;
/** Names of names: what they hold is the name of a credential, a header or a place. */
const nameOfName = /(name|path|header|scheme|strategy|type|credential)s?$/i;
/** Whose values are never shown, whatever they hold. */
const valuesHidden = /headers$|^dry_run_response$/i;

type Fields = Record<string, unknown>;

/** A config document for the model: without values of headers, sample answers and what may be a secret. */
export const maskConfig = (config: unknown): unknown => masked(config, '');

function masked(value: unknown, name: string): unknown {
  if (valuesHidden.test(name)) return hidden(value);
  if (typeof value === 'string')
    return secretName.test(name) && !nameOfName.test(name) ? maskedMark : maskText(withoutQuery(value));
  if (Array.isArray(value)) return value.map((item) => masked(item, name));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value as Fields).map(([key, inner]) => [key, masked(inner, key)]));
}

function hidden(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(hidden);
  if (typeof value !== 'object' || value === null) return value === null ? null : maskedMark;
  return Object.fromEntries(Object.entries(value as Fields).map(([key, inner]) => [key, hidden(inner)]));
}

/** Of a URL, values of its query and its user are hidden; references stay. */
function withoutQuery(text: string): string {
  if (!/^[a-z][a-z+.-]*:\/\//i.test(text)) return text;
  return text
    .replace(/^([a-z][a-z+.-]*:\/\/)[^/?#@]*@/i, `$1${maskedMark}@`)
    .replaceAll(/([?&][^=&#]+)=([^&#]*)/g, (whole, before: string, value: string) =>
      /^\{?\$/.test(value) || value === '' ? whole : `${before}=${maskedMark}`);
}
