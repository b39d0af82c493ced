import { sha256Hex } from '../crypto/sha256-hex';

/** An email address, also percent-encoded. Bounded parts: a long text costs a fixed number of steps per character. */
const emailAddress = /[\p{L}\p{N}._%+'-]{1,64}(?:@|%40)(?:[\p{L}\p{N}-]{1,63}\.){1,8}\p{L}[\p{L}\p{N}-]{1,62}/giu;
const mayHoldEmail = /@|%40/;
/** Names of fields that hold a sender's own id of a record, or a person's address, however they are written. */
const personalNames = new Set(['email', 'externalid', 'externalids', 'externalobjectid', 'recordkey']);
/** `<connector id>:<record key>` or `<connector id>:<type>:<external id>`. */
const laneName = 'lane';
/** A shorter id is hashed in its own field only: in other texts it would be found by chance. */
const shortestInTexts = 4;

/**
 * A copy of what is to be logged in which email addresses and external ids are replaced by a part of their hash. One value has
 * the same hash in every line of every service, so that lines are found by it. Texts of the same line (an error, its cause, an
 * answer of the CRM) lose the external ids that stand in the line's fields; an id that stands in a text alone is not known as
 * one.
 * @param fields plain JSON, as `redact` gives it
 */
export function withPseudonyms<T>(fields: T): T {
  const known = new Set<string>();
  collect(fields, undefined, known);
  const inTexts = [...known].filter((value) => value.length >= shortestInTexts).sort((a, b) => b.length - a.length);
  return copy(fields, undefined, inTexts) as T;
}

/** What stands for a personal value: `printf %s <value> | sha256sum` finds it. */
export const pseudonym = (value: string): string => `sha256:${sha256Hex(value).slice(0, 16)}`;

const isPersonal = (name: string | undefined): boolean =>
  name !== undefined && personalNames.has(name.toLowerCase().replace(/[^a-z]/g, ''));

function collect(value: unknown, name: string | undefined, known: Set<string>): void {
  if (typeof value === 'string') {
    if (isPersonal(name)) known.add(value);
    else if (name === laneName) for (const part of laneParts(value)) known.add(part);
  } else if (Array.isArray(value)) value.forEach((item) => collect(item, name, known));
  else if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) collect(item, key, known);
}

/** The record's part of a lane, and the id alone. */
function laneParts(lane: string): string[] {
  const [, ...rest] = lane.split(':');
  const record = rest.join(':');
  return [record, rest.slice(1).join(':')].filter((part) => part !== '');
}

function copy(value: unknown, name: string | undefined, known: readonly string[]): unknown {
  if (typeof value === 'string') return text(value, name, known);
  if (Array.isArray(value)) return value.map((item) => copy(item, name, known));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [withoutEmails(key), copy(item, key, known)]));
}

function text(value: string, name: string | undefined, known: readonly string[]): string {
  if (isPersonal(name)) return pseudonym(value);
  if (name === laneName) {
    const [connector = '', ...record] = value.split(':');
    return record.length === 0 ? value : `${connector}:${pseudonym(record.join(':'))}`;
  }
  return withoutEmails(known.reduce((left, id) => (left.includes(id) ? left.replaceAll(id, pseudonym(id)) : left), value));
}

function withoutEmails(value: string): string {
  return mayHoldEmail.test(value)
    ? value.replace(emailAddress, (address) => pseudonym(address.replace(/%40/i, '@').toLowerCase()))
    : value;
}
