import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { KitError } from './kit-error';
import { type PluginFolder, readJson } from './plugin-folder';

/** What a call of `fetch` is answered with in a test. */
export interface RecordedAnswer {
  /** Default GET. */
  method?: string;
  /** The whole URL. */
  url: string;
  /** Default 200. */
  status?: number;
  headers?: Record<string, string>;
  /** A text, or JSON. */
  body?: unknown;
}

/** A file of `events`: what the handler gets, what its calls are answered with, and what must come of it. */
export interface RecordedEvent {
  /** Name of the file. */
  file: string;
  /** The handler gets exactly this. */
  payload: Record<string, unknown>;
  fetch: readonly RecordedAnswer[];
  /** `output`: the response holds it. `error`: it throws a message that contains it. */
  expect: { output: unknown } | { error: string };
}

/** The keys of a payload that every event has, unless its file says otherwise. */
const defaults = {
  schema_version: 1, connector_id: '00000000-0000-4000-8000-000000000000', flow_name: 'flow', source_name: 'event_api',
  event_type: 'event', external_id: null, payload: {}, canonical: null, outputs: {}, entities_index: {}, sources_index: {},
  item: null, config: {},
};

/** The recorded events of a plugin, by the names of their files. Throws KitError. */
export async function readRecordedEvents({ path, capabilities }: PluginFolder): Promise<RecordedEvent[]> {
  const folder = join(path, 'events');
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.json')).sort();
  return Promise.all(files.map(async (file) => {
    const where = join(folder, file);
    const { payload, fetch = [], expect } = recorded(await readJson(where), where);
    const isHook = Object.hasOwn(payload, 'hook_type');
    const given = isHook ? { schema_version: 1, cycle: 1, ...payload } : { ...defaults, capabilities, ...payload };
    return { file, payload: given, fetch, expect };
  }));
}

type Given = Pick<RecordedEvent, 'payload' | 'expect'> & { fetch?: readonly RecordedAnswer[] };

function recorded(given: unknown, where: string): Given {
  const problem = problemOf(given);
  if (problem !== null) throw new KitError(`${where}: ${problem}`);
  return given as Given;
}

function problemOf(given: unknown): string | null {
  if (!isObject(given)) return 'it is no JSON object.';
  const unknown = Object.keys(given).find((key) => !['payload', 'fetch', 'expect'].includes(key));
  if (unknown !== undefined) return `"${unknown}" is none of "payload", "fetch" and "expect".`;
  if (!isObject(given['payload'])) return 'it needs "payload": what the handler gets.';
  const { fetch = [], expect } = given;
  if (!Array.isArray(fetch) || !fetch.every((one: unknown) => isObject(one) && typeof one['url'] === 'string'))
    return '"fetch" is a list of answers, each with its "url".';
  return isExpectation(expect) ? null : 'it needs "expect": {"output": ...}, or {"error": "a part of the message"}.';
}

function isExpectation(expect: unknown): boolean {
  if (!isObject(expect) || Object.keys(expect).length !== 1) return false;
  return Object.hasOwn(expect, 'output') || typeof expect['error'] === 'string';
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
