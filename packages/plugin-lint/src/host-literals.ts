import type { AnyNode, Expression, TemplateLiteral } from 'acorn';

/** A host that code names in a text. */
export interface HostLiteral {
  host: string;
  /** As it stands in a URL; null: it is the scheme's own one, or unknown. */
  port: string | null;
  scheme: string;
}

const urls = /(https?|wss?|ftp):\/\/([^/?#\\\s'"`<>]*)(.?)/gi;
const schemeOnly = /^\s*(https?|wss?|ftp):\/\/$/i;

/** The hosts of all URLs in a text. A text that goes on with what is computed (`open`) may end within the last of them. */
export function hostsOfText(text: string, open: boolean): HostLiteral[] {
  return [...text.matchAll(urls)].flatMap(([, scheme, authority, next]) => {
    if (open && next === '') return [];
    return hostOf(scheme!, authority!.replace(/[).,;:!]+$/, '')) ?? [];
  });
}

/** The host that a sum of texts names: `'https://' + 'api.example.com'`. */
export function hostOfSum(left: AnyNode, right: AnyNode): HostLiteral | null {
  const [start, rest] = [lastText(left), textOf(right)];
  const scheme = start === null ? null : schemeOnly.exec(start)?.[1];
  if (scheme === undefined || scheme === null || rest === null) return null;
  return hostOf(scheme, /^[^/?#\\\s]*/.exec(rest)![0]);
}

/** The hosts that a template names between its computed parts. */
export const hostsOfTemplate = ({ quasis }: TemplateLiteral): HostLiteral[] =>
  quasis.flatMap(({ value, tail }) => hostsOfText(value.cooked ?? '', !tail));

function hostOf(scheme: string, authority: string): HostLiteral | null {
  const name = authority.slice(authority.lastIndexOf('@') + 1);
  const [, host, port = null] = /^(\[[^\]]*\]|[^:]*)(?::(\d*))?$/.exec(name) ?? [];
  return host ? { scheme: scheme.toLowerCase(), host: host.toLowerCase(), port: port === '' ? null : port } : null;
}

const textOf = (node: AnyNode): string | null =>
  node.type === 'Literal' && typeof (node as { value?: unknown }).value === 'string' ? ((node as { value: string }).value) : null;

/** The last text of a sum: of `a + 'https://'` it is `https://`. */
const lastText = (node: AnyNode): string | null =>
  node.type === 'BinaryExpression' && node.operator === '+' ? textOf(node.right as Expression) : textOf(node);
