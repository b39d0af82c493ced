import { HttpError, type IncomingFile, validationEntry } from '@sluice/service-kit';

/** The text of a pushed bundle. Throws 422 for what is no text, and what breaks the upload. */
export async function readBundle({ bytes }: IncomingFile): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of bytes) chunks.push(chunk as Buffer);
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
    if (!text.includes('\0')) return text;
  } catch {
    // Not UTF-8.
  }
  throw new HttpError(
    422, [validationEntry('body', ['bundle'], 'value_error', 'The bundle must be text in UTF-8 without NUL', null)],
  );
}
