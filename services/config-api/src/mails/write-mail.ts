import type { MailContent, WrittenMail } from './mail-content';

/** Writes a mail as text and as HTML. */
export function writeMail(content: MailContent): WrittenMail {
  const { subject, link } = content;
  return { subject, text: textOf(content), html: htmlOf(content), links: link ? [link.url] : [] };
}

function textOf({ paragraphs, link, code, closing }: MailContent): string {
  const parts = [
    ...paragraphs, ...(link ? [`${link.label}:\n${link.url}`] : []), ...(code ? [`Or type this code: ${code}`] : []), closing,
  ];
  return `${parts.join('\n\n')}\n`;
}

function htmlOf({ subject, paragraphs, link, code, closing }: MailContent): string {
  const paragraph = (html: string): string => `<p>${html}</p>`;
  const parts = [
    ...paragraphs.map((text) => paragraph(escaped(text))),
    ...(link ? [paragraph(`<a href="${escaped(link.url)}" rel="noreferrer">${escaped(link.label)}</a>`)] : []),
    ...(code ? [paragraph(`Or type this code: <strong>${escaped(code)}</strong>`)] : []),
    paragraph(escaped(closing)),
  ];
  return [
    '<!doctype html><html lang="en"><head><meta charset="utf-8">',
    // A page that is opened from the mail must not tell others the address with its token.
    '<meta name="referrer" content="no-referrer">',
    `<title>${escaped(subject)}</title></head><body>`,
    ...parts,
    '</body></html>',
  ].join('\n');
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => entities[character]!);
