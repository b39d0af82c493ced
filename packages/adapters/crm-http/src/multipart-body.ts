import { randomUUID } from 'node:crypto';

/** Quotes and line ends of a name as browsers write them (WHATWG HTML, multipart/form-data encoding). */
const escaped = (name: string): string => name.replace(/\r\n|\r|\n/g, '%0D%0A').replaceAll('"', '%22');

/** A `multipart/form-data` body of texts and one file (RFC 7578). */
export function multipartBody(
  texts: Readonly<Record<string, string>>,
  file: { name: string; fileName: string; bytes: Buffer },
): { bytes: Buffer; type: string } {
  const boundary = `sluice-${randomUUID()}`;
  const parts = Object.entries(texts).map(([name, text]) =>
    Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${escaped(name)}"\r\n\r\n${text}\r\n`),
  );
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(file.name)}"; filename="${escaped(file.fileName)}"`;
  const type = 'Content-Type: application/octet-stream';
  const bytes = Buffer.concat([
    ...parts,
    Buffer.from(`${head}\r\n${type}\r\n\r\n`),
    file.bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { bytes, type: `multipart/form-data; boundary=${boundary}` };
}
