const longest = 64;

/**
 * A name that somebody chose, fit for a mail: one line, at most 64 characters, and nothing that a mail program shows as a link.
 * The reader of an invitation must not take a stranger's organization called `Verify at http://...` for ours.
 */
export function mailName(name: string): string {
  const line = name.replaceAll(/[\p{Control}\p{Format}\p{Line_Separator}\p{Paragraph_Separator}\s]+/gu, ' ').trim();
  const unlinked = line
    .replaceAll(/[:/\\@<>]+/g, ' ')
    // A dot within a word makes a host name.
    .replaceAll(/\.(?=\S)/g, ' ')
    .replaceAll(/ {2,}/g, ' ')
    .trim();
  const cut = [...unlinked].slice(0, longest).join('').trim();
  return cut === '' ? 'unnamed' : cut;
}
