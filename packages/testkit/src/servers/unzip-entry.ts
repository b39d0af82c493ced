import { inflateRawSync } from 'node:zlib';

const endOfDirectory = 0x06054b50;
const directoryEntry = 0x02014b50;

/**
 * Reads one file out of a zip archive (no zip64, no encryption: what a jar is).
 * @param wanted tells the file by its path in the archive
 * @returns its content, or undefined when no path is wanted
 */
export function unzipEntry(zip: Buffer, wanted: (path: string) => boolean): Buffer | undefined {
  const end = zip.lastIndexOf(Buffer.from('504b0506', 'hex'));
  if (end < 0 || zip.readUInt32LE(end) !== endOfDirectory) throw new Error('Not a zip archive');
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left -= 1) {
    if (zip.readUInt32LE(at) !== directoryEntry) throw new Error('Damaged zip directory');
    const nameLength = zip.readUInt16LE(at + 28);
    const path = zip.toString('utf8', at + 46, at + 46 + nameLength);
    if (wanted(path)) return contentOf(zip, at);
    at += 46 + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return undefined;
}

function contentOf(zip: Buffer, entry: number): Buffer {
  const method = zip.readUInt16LE(entry + 10);
  const size = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  const data = zip.subarray(start, start + size);
  if (method === 0) return data;
  if (method === 8) return inflateRawSync(data);
  throw new Error(`Zip method ${method} is not known here`);
}
