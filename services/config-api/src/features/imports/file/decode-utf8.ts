import { fileProblem } from './file-problem';

/**
 * The text of a file, chunk by chunk, without a byte order mark.
 * @throws HttpError 422 at `file` where it is not UTF-8
 */
export async function* decodeUtf8(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decoded = (chunk?: Uint8Array): string => {
    try {
      return decoder.decode(chunk, { stream: chunk !== undefined });
    } catch {
      throw fileProblem('not_utf8', 'The file is not UTF-8 text');
    }
  };
  for await (const chunk of bytes) {
    const text = decoded(chunk);
    if (text !== '') yield text;
  }
  const rest = decoded();
  if (rest !== '') yield rest;
}
