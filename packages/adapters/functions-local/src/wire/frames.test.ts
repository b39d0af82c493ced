import fc from 'fast-check';
import { BadFrame, encodeFrame, type Frame, FrameReader } from './frames';
import { readMessage } from './read-message';

const read = (chunks: Buffer[], maxBytes = 1_000_000): Frame[] => {
  const reader = new FrameReader(maxBytes);
  return chunks.flatMap((chunk) => [...reader.push(chunk)]);
};

describe('frames', () => {
  it('come out as they went in, however the stream is cut', () => {
    const head = fc.json().map((text) => JSON.parse(text) as unknown);
    const message = fc.record({ head, body: fc.uint8Array({ maxLength: 300 }) });
    const property = fc.property(fc.array(message, { maxLength: 6 }), fc.array(fc.nat(400), { maxLength: 20 }), (sent, cuts) => {
      const bytes = Buffer.concat(sent.flatMap(({ head, body }) => encodeFrame(head, body)));
      const places = [...cuts.map((cut) => cut % (bytes.length + 1)), 0, bytes.length].sort((a, b) => a - b);
      const chunks = places.slice(1).map((end, index) => bytes.subarray(places[index]!, end));
      const got = read(chunks);
      expect(got.map(({ head }) => head)).toEqual(sent.map(({ head }) => head));
      got.forEach(({ body }, index) => expect(body.equals(Buffer.from(sent[index]!.body))).toBe(true));
    });
    fc.assert(property, { numRuns: 200 });
  });

  it('longer than the bound are refused before they are there', () => {
    const [start] = encodeFrame({ a: 1 }, Buffer.alloc(5_000));
    expect(() => read([start!.subarray(0, 8)], 1_000)).toThrow(BadFrame);
  });

  it('of random bytes never do anything but throw BadFrame, or wait', () => {
    const property = fc.property(fc.array(fc.uint8Array({ maxLength: 64 }), { maxLength: 10 }), (chunks) => {
      try {
        for (const { head } of read(chunks.map((chunk) => Buffer.from(chunk)), 10_000)) readMessage(head);
      } catch (error) {
        expect(error).toBeInstanceOf(BadFrame);
      }
    });
    fc.assert(property, { numRuns: 500 });
  });
});

describe('messages of a child', () => {
  it('of random JSON are refused', () => {
    fc.assert(fc.property(fc.anything(), (head) => {
      expect(() => readMessage(head)).toThrow(BadFrame);
    }), { numRuns: 500 });
  });

  it('are read with exactly their fields', () => {
    const end = { id: 1, logs: [{ at: 2, level: 'warn', message: 'm' }], dropped: 0, ms: 0.5, busy: 0.1, mb: 16 };
    expect(readMessage({ t: 'returned', ...end })).toEqual({ t: 'returned', ...end });
    expect(readMessage({ t: 'loaded', key: 'k', problem: null })).toEqual({ t: 'loaded', key: 'k', problem: null });
    for (const field of Object.keys(end))
      expect(() => readMessage({ t: 'returned', ...end, [field]: undefined })).toThrow(BadFrame);
    expect(() => readMessage({ t: 'returned', ...end, admin: true })).toThrow(BadFrame);
    expect(() => readMessage(JSON.parse('{"t":"loaded","key":"k","problem":null,"__proto__":{}}'))).toThrow(BadFrame);
  });
});
