import type { ConfigDocument } from '@sluice/contracts';

/** The most that is listed. */
const mostChanges = 100;

/**
 * What somebody who decides about a change should look at, a sentence each: new hosts, credentials that are used in a source for
 * the first time, and what goes. Both configs as JSON.
 */
export function proposalChangesJob({ from, to }: { from: string; to: string }): string[] {
  const [before, after] = [JSON.parse(from) as ConfigDocument, JSON.parse(to) as ConfigDocument];
  const gone = (list: (config: ConfigDocument) => string[]): string[] => minus(list(before), list(after));
  const all = [
    ...minus(hosts(after), hosts(before)).map((host) => `new host: ${host}`),
    ...minus(pairs(after), pairs(before)).map((pair) => `new use of a credential: ${pair}`),
    ...gone(({ sources }) => names(sources)).map((name) => `source removed: ${name}`),
    ...gone(({ flows }) => names(flows)).map((name) => `flow removed: ${name}`),
    ...gone(({ entities }) => names(entities)).map((name) => `entity removed: ${name}`),
    ...gone(mappings).map((name) => `mapping removed: ${name}`),
  ];
  return all.length <= mostChanges ? all : [...all.slice(0, mostChanges), `and ${all.length - mostChanges} more`];
}

const minus = (some: readonly string[], others: readonly string[]): string[] => {
  const known = new Set(others);
  return [...new Set(some)].filter((one) => !known.has(one));
};

const names = (list: readonly { name: string }[] | undefined): string[] => (list ?? []).map(({ name }) => name);

const mappings = ({ entities }: ConfigDocument): string[] =>
  (entities ?? []).flatMap(({ name, schemas }) => Object.entries(schemas).flatMap(([schema, { field_mappings: list }]) =>
    (list ?? []).map(({ target, target_template: template }) => `${name}.${schema}.${target ?? template ?? ''}`)));

/** Hosts of all URLs of the document. */
const hosts = (config: unknown): string[] =>
  texts(config).flatMap(([, text]) => {
    const found = /^[a-z][a-z+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]+)/i.exec(text)?.[1];
    return found === undefined ? [] : [found.toLowerCase()];
  });

/** Names of credentials, each with the source that uses it and where that one leads. */
const pairs = ({ sources }: ConfigDocument): string[] => (sources ?? []).flatMap((source) => {
  const where = [...new Set(hosts(source))].join(', ') || 'no host';
  const used = texts(source).filter(([path]) => /credential|secret_headers/i.test(path)).map(([, text]) => text);
  return used.map((credential) => `${credential} in source ${source.name} (${where})`);
});

/** Every text of a document, with the names that lead to it. */
function texts(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => texts(inner, `${path}.${key}`));
}
