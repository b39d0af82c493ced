import type { AnyNode, Expression, TemplateLiteral } from 'acorn';

/** A host that code names in a text. */
export interface HostLiteral {
  host: string;
  /** As it stands in a URL; null: it is the scheme's own one, or unknown. */
  port: string | null;
  scheme: string;
}

const urlStart = /^\s*(https?|wss?|ftp):\/\/([^/?#\\\s'"`<>]*)(.?)/i;
const schemeOnly = /^\s*(https?|wss?|ftp):\/\/$/i;

/** The host of a text that begins as a URL does. A text that goes on with what is computed (`open`) may end within it. */
export function hostOfText(text: string, open: boolean): HostLiteral | null {
  const found = urlStart.exec(text);
  if (!found) return null;
  const [, scheme, authority, next] = found;
  if (open && next === '') return null;
  return hostOf(scheme!, authority!);
}

/** The host that a sum of texts names: `'https://' + 'api.example.com'`. */
export function hostOfSum(left: AnyNode, right: AnyNode): HostLiteral | null {
  const [start, rest] = [lastText(left), textOf(right)];
  const scheme = start === null ? null : schemeOnly.exec(start)?.[1];
  if (scheme === undefined || scheme === null || rest === null) return null;
  return hostOf(scheme, /^[^/?#\\\s]*/.exec(rest)![0]);
}

/** The host that a template names before its first computed part. */
export const hostOfTemplate = ({ quasis }: TemplateLiteral): HostLiteral | null =>
  hostOfText(quasis[0]?.value.cooked ?? '', quasis.length > 1);

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
