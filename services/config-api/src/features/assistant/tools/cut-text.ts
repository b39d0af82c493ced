/** Bytes of the result of one tool call. */
export const mostResultBytes = 131_072;

const note = '\n[cut: the result is longer than 128 KiB]';

/** The beginning of a text that is too long for the model, with a note. */
export function cutText(text: string): string {
  const bytes = Buffer.from(text, 'utf8');
  if (bytes.length <= mostResultBytes) return text;
  // A character that is cut in two is left out.
  return bytes.subarray(0, mostResultBytes - note.length).toString('utf8').replace(/�+$/, '') + note;
}
