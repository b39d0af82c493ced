/** A message between the service and a child: a head of JSON, and bytes. */
export interface Frame {
  head: unknown;
  body: Buffer;
  /** All of it. */
  bytes: number;
}

/** Bytes before the head: the length of the rest, and the length of the head within it. */
const prefixBytes = 8;

/** The other side sent bytes that are no frame. */
export class BadFrame extends Error {
  override name = 'BadFrame';
}

export function encodeFrame(head: unknown, body?: Uint8Array): Buffer[] {
  const text = Buffer.from(JSON.stringify(head), 'utf8');
  const prefix = Buffer.allocUnsafe(prefixBytes);
  prefix.writeUInt32BE(4 + text.length + (body?.length ?? 0), 0);
  prefix.writeUInt32BE(text.length, 4);
  const start = Buffer.concat([prefix, text]);
  return body && body.length > 0 ? [start, Buffer.from(body.buffer, body.byteOffset, body.byteLength)] : [start];
}

/**
 * Puts the frames of a stream together. The other side may send anything: a frame longer than the bound, or that is none, ends it
 * (BadFrame); no more than one frame is kept.
 */
export class FrameReader {
  private chunks: Buffer[] = [];
  private size = 0;

  constructor(private readonly maxBytes: number) {}

  /** The frames that are complete with this chunk. Throws BadFrame. */
  *push(chunk: Buffer): Generator<Frame> {
    this.chunks.push(chunk);
    this.size += chunk.length;
    for (;;) {
      const length = this.nextLength();
      if (length === null || this.size < 4 + length) return;
      yield frameOf(this.take(4 + length));
    }
  }

  private nextLength(): number | null {
    if (this.size < prefixBytes) return null;
    if (this.chunks[0]!.length < prefixBytes) this.chunks = [Buffer.concat(this.chunks)];
    const length = this.chunks[0]!.readUInt32BE(0);
    if (length < 4 || length > this.maxBytes) throw new BadFrame(`a frame of ${length} bytes`);
    return length;
  }

  private take(bytes: number): Buffer {
    const all = this.chunks.length === 1 ? this.chunks[0]! : Buffer.concat(this.chunks);
    const rest = all.subarray(bytes);
    this.chunks = rest.length > 0 ? [rest] : [];
    this.size = rest.length;
    return all.subarray(0, bytes);
  }
}

function frameOf(bytes: Buffer): Frame {
  const headLength = bytes.readUInt32BE(4);
  const end = prefixBytes + headLength;
  if (end > bytes.length) throw new BadFrame('a head that is longer than its frame');
  try {
    const head = JSON.parse(bytes.toString('utf8', prefixBytes, end)) as unknown;
    return { head, body: bytes.subarray(end), bytes: bytes.length };
  } catch {
    throw new BadFrame('a head that is no JSON');
  }
}
