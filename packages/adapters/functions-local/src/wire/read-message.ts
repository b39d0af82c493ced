import { functionLogLevels, type FunctionLimit, type FunctionLogLine } from '@sluice/ports';
import { BadFrame } from './frames';
import type { EndFacts, FromChild } from './messages';

/** Lengths of texts in a message of a child. */
const [maxShort, maxMessage, maxHead] = [4_096, 32_768, 1024 * 1024];
/** More lines than any setting allows. */
const maxLines = 10_000;

/**
 * Reads the head of a frame of a child, which may send anything: keys, types and sizes are checked, and what else it holds is
 * refused. Throws BadFrame.
 */
export function readMessage(head: unknown): FromChild {
  const fields = new Fields(head);
  const message = read(fields);
  fields.close();
  return message;
}

function read(fields: Fields): FromChild {
  const t = fields.text('t', maxShort);
  switch (t) {
    case 'ready':
      return { t, walls: fields.texts('walls'), missing: fields.texts('missing') };
    case 'loaded':
      return { t, key: fields.text('key', maxShort), problem: fields.optionalText('problem', maxMessage) };
    case 'fetch':
      return {
        t, id: fields.count('id'), call: fields.count('call'), head: fields.text('head', maxHead),
        hasBody: fields.flag('hasBody'),
      };
    case 'returned':
      return { t, ...factsOf(fields) };
    case 'threw':
      return { t, message: fields.text('message', maxMessage), ...factsOf(fields) };
    case 'limit':
      return { t, limit: limitOf(fields), message: fields.text('message', maxMessage), ...factsOf(fields) };
    default:
      throw new BadFrame('a message of an unknown kind');
  }
}

function factsOf(fields: Fields): EndFacts {
  return {
    id: fields.count('id'), logs: fields.list('logs', maxLines).map(lineOf), dropped: fields.count('dropped'),
    ms: fields.number('ms'), busy: fields.number('busy'), mb: fields.number('mb'),
  };
}

const limitNames: readonly FunctionLimit[] = ['time', 'memory', 'stack', 'response'];

function limitOf(fields: Fields): FunctionLimit {
  const text = fields.text('limit', maxShort);
  const limit = limitNames.find((one) => one === text);
  if (!limit) throw new BadFrame('an unknown limit');
  return limit;
}

function lineOf(value: unknown): FunctionLogLine {
  const fields = new Fields(value);
  const text = fields.text('level', maxShort);
  const level = functionLogLevels.find((one) => one === text);
  if (!level) throw new BadFrame('an unknown level');
  const line = { at: fields.number('at'), level, message: fields.text('message', maxMessage) };
  fields.close();
  return line;
}

/** The fields of an object, each taken once. */
class Fields {
  private readonly left: Map<string, unknown>;

  constructor(value: unknown) {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) throw new BadFrame('no object');
    this.left = new Map(Object.entries(value));
  }

  text(name: string, max: number): string {
    const value = this.take(name);
    if (typeof value !== 'string' || value.length > max) throw new BadFrame(`${name} is no text of at most ${max} characters`);
    return value;
  }

  optionalText(name: string, max: number): string | null {
    if (this.left.get(name) !== null) return this.text(name, max);
    this.left.delete(name);
    return null;
  }

  texts(name: string): string[] {
    return this.list(name, 100).map((value) => {
      if (typeof value !== 'string' || value.length > maxShort) throw new BadFrame(`${name} holds what is no short text`);
      return value;
    });
  }

  list(name: string, max: number): unknown[] {
    const value = this.take(name);
    if (!Array.isArray(value) || value.length > max) throw new BadFrame(`${name} is no list of at most ${max}`);
    return value;
  }

  number(name: string): number {
    const value = this.take(name);
    if (typeof value !== 'number' || !Number.isFinite(value) || value < 0) throw new BadFrame(`${name} is no number from 0`);
    return value;
  }

  count(name: string): number {
    const value = this.number(name);
    if (!Number.isSafeInteger(value)) throw new BadFrame(`${name} is no integer`);
    return value;
  }

  flag(name: string): boolean {
    const value = this.take(name);
    if (typeof value !== 'boolean') throw new BadFrame(`${name} is no boolean`);
    return value;
  }

  close(): void {
    if (this.left.size > 0) throw new BadFrame('fields that a message does not have');
  }

  private take(name: string): unknown {
    const value = this.left.get(name);
    this.left.delete(name);
    return value;
  }
}
