// In a file of its own, so that the pure packages can import it without the types of Node.

/** What a plugin may do beyond computing. A namespace that is absent grants nothing. */
export interface PluginCapabilities {
  /** Hosts that `fetch` may call: a name, or `*.name` for its subdomains; with `:port` only that port. */
  http?: string[];
  /** What it may do with its key-value store. */
  store?: ('read' | 'write')[];
  /** Sources of type rest whose outbound headers it gets. */
  auth?: string[];
}

/** One entry that is no capability, by its place in what was given. */
export interface CapabilityProblem {
  path: (string | number)[];
  msg: string;
  input: unknown;
}

export type ReadCapabilities =
  | { ok: true; capabilities: PluginCapabilities }
  | { ok: false; problems: CapabilityProblem[] };

type Namespace = keyof PluginCapabilities;
const namespaces: readonly Namespace[] = ['http', 'store', 'auth'];
/** Values of all namespaces together. */
const maxValues = 200;
const maxNameLength = 128;

/**
 * Reads capabilities in either form: the object of namespaces, or the flat list of `namespace:value`. The object form is what is
 * kept. Lists every problem.
 */
export function readCapabilities(given: unknown): ReadCapabilities {
  const { entries, problems } = Array.isArray(given) ? fromList(given) : fromObject(given);
  for (const { namespace, value, path } of entries) {
    const msg = problemOf(namespace, value);
    if (msg !== null) problems.push({ path, msg, input: value });
  }
  if (entries.length > maxValues) problems.push({ path: [], msg: `at most ${maxValues} capabilities`, input: entries.length });
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, capabilities: objectForm(given, entries) };
}

interface Entry {
  namespace: Namespace;
  value: string;
  path: (string | number)[];
}

interface Entries {
  entries: Entry[];
  problems: CapabilityProblem[];
}

const unknownNamespace = `a namespace must be one of ${namespaces.join(', ')}`;
const isNamespace = (name: string): name is Namespace => (namespaces as readonly string[]).includes(name);

function fromList(given: readonly unknown[]): Entries {
  const found: Entries = { entries: [], problems: [] };
  given.forEach((item, index) => {
    const [, namespace, value] = typeof item === 'string' ? (/^([^:]*):(.*)$/s.exec(item) ?? []) : [];
    if (namespace === undefined || value === undefined)
      found.problems.push({ path: [index], msg: 'a capability is written namespace:value', input: item });
    else if (!isNamespace(namespace)) found.problems.push({ path: [index], msg: unknownNamespace, input: item });
    else found.entries.push({ namespace, value, path: [index] });
  });
  return found;
}

function fromObject(given: unknown): Entries {
  const found: Entries = { entries: [], problems: [] };
  if (given === null || typeof given !== 'object') {
    const msg = 'capabilities are an object of namespaces, or a list of namespace:value';
    found.problems.push({ path: [], msg, input: given });
    return found;
  }
  for (const [namespace, values] of Object.entries(given as Record<string, unknown>)) {
    if (!isNamespace(namespace)) found.problems.push({ path: [namespace], msg: unknownNamespace, input: namespace });
    else if (!Array.isArray(values))
      found.problems.push({ path: [namespace], msg: 'a namespace holds a list of texts', input: values });
    else values.forEach((value: unknown, index) => {
      const path = [namespace, index];
      if (typeof value === 'string') found.entries.push({ namespace, value, path });
      else found.problems.push({ path, msg: 'a granted value is a text', input: value });
    });
  }
  return found;
}

/** Namespaces as they were given, also an empty one; each value once. */
function objectForm(given: unknown, entries: readonly Entry[]): PluginCapabilities {
  const named = Array.isArray(given) ? entries.map(({ namespace }) => namespace) : Object.keys(given as object);
  const capabilities: Record<string, string[]> = {};
  for (const namespace of namespaces) {
    if (!named.includes(namespace)) continue;
    const values = entries.filter((entry) => entry.namespace === namespace).map(({ value }) => normal(namespace, value));
    capabilities[namespace] = [...new Set(values)];
  }
  return capabilities as PluginCapabilities;
}

const normal = (namespace: Namespace, value: string): string => (namespace === 'http' ? value.toLowerCase() : value);

function problemOf(namespace: Namespace, value: string): string | null {
  switch (namespace) {
    case 'http':
      return isHostPattern(value) ? null : 'a host is a name or *.name, without scheme, path or further wildcards';
    case 'store':
      return value === 'read' || value === 'write' ? null : 'store grants read or write';
    case 'auth':
      return value.length > 0 && value.length <= maxNameLength ? null : `a source's name has 1 to ${maxNameLength} characters`;
  }
}

const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const hostPattern = new RegExp(String.raw`^(?:\*\.)?${label}(?:\.${label})*(?::([0-9]{1,5}))?$`, 'i');

/** Whether a text may stand in the `http` namespace. */
export function isHostPattern(text: string): boolean {
  const match = text.length <= 260 ? hostPattern.exec(text) : null;
  return match !== null && (match[1] === undefined || (Number(match[1]) > 0 && Number(match[1]) <= 65_535));
}

/**
 * Whether the `http` capability covers an address. `*.name` covers subdomains only, not `name` itself.
 * @param port as a URL has it: empty for the scheme's own
 */
export function coversHost(patterns: readonly string[], { hostname, port, protocol }: UrlHost): boolean {
  const name = hostname.toLowerCase().replace(/\.$/, '');
  const actualPort = port !== '' ? port : protocol === 'https:' ? '443' : '80';
  return patterns.some((pattern) => {
    const [, wildcard, host, only] = /^(\*\.)?([^:]*)(?::([0-9]+))?$/.exec(pattern.toLowerCase()) ?? [];
    if (host === undefined || (only !== undefined && only !== actualPort)) return false;
    return wildcard === undefined ? name === host : name.endsWith(`.${host}`) && name.length > host.length + 1;
  });
}

/** The parts of a URL that decide whether it may be called. */
export interface UrlHost {
  hostname: string;
  port: string;
  protocol: string;
}
