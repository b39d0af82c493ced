/** One link of a header: its target, and its parameters (RFC 8288). */
const link = /<([^>]*)>((?:\s*;\s*[\w*!#$&+.^`|~-]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s",;]+))?)*)/g;
const relation = /;\s*rel\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",;]+))/i;
/** A header that is longer is not read: matching takes time. */
const maxLength = 16_384;

/** The target of the link `next` of a Link header; null: it has none. */
export function nextLink(header: string): string | null {
  if (header.length > maxLength) return null;
  for (const [, target, parameters = ''] of header.matchAll(link)) {
    const found = relation.exec(parameters);
    const relations = (found?.[1] ?? found?.[2] ?? '').toLowerCase().split(/\s+/);
    if (relations.includes('next')) return target ?? null;
  }
  return null;
}
