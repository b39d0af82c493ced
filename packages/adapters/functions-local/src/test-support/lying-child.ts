/** A child that speaks the protocol until its second argument's word comes up, then breaks it in that way. */
import { Socket } from 'node:net';
import type { ChildOptions } from '../sandbox/child-options';
import { encodeFrame, FrameReader } from '../wire/frames';
import type { ToChild } from '../wire/messages';

const options = JSON.parse(process.argv.at(-1)!) as ChildOptions;
const socket = new Socket({ fd: 3, readable: true, writable: true });
const send = (head: unknown, body?: Buffer): void => void socket.write(Buffer.concat(encodeFrame(head, body)));
const end = (id: number) => ({ id, logs: [], dropped: 0, ms: 1, busy: 1, mb: 16 });
const value = Buffer.from('{"answered":true}');

/** What it sends instead of an answer to invocation `id`, by the text that the code of its function names. */
const lies: Record<string, (id: number) => void> = {
  'random bytes': () => void socket.write(Buffer.from('this is no frame at all, and long enough to be read as one')),
  'a frame without an end': () => void socket.write(Buffer.from([0x7f, 0xff, 0xff, 0xff, 0, 0, 0, 1])),
  'a frame over the bound': () => send({ t: 'returned', ...end(1) }, Buffer.alloc(options.maxFrameBytes + 1)),
  'a head that is no JSON': () => void socket.write(Buffer.from([0, 0, 0, 5, 0, 0, 0, 1, 0x7b])),
  'a head longer than its frame': () => void socket.write(Buffer.from([0, 0, 0, 5, 0, 0, 0, 9, 0x7b])),
  'an unknown message': (id) => send({ t: 'secrets', id }),
  'a prototype key': (id) => send(JSON.parse(`{"t":"returned","__proto__":{"admin":true},"id":${id}}`)),
  'a further field': (id) => send({ t: 'returned', ...end(id), admin: true }, value),
  'a missing field': (id) => send({ t: 'returned', id }, value),
  'a wrong type': (id) => send({ t: 'returned', ...end(id), ms: '1' }, value),
  'a negative number': (id) => send({ t: 'returned', ...end(id), mb: -1 }, value),
  'an answer to nothing': () => send({ t: 'returned', ...end(4_711) }, value),
  'an answer twice': (id) => {
    send({ t: 'returned', ...end(id) }, value);
    send({ t: 'returned', ...end(id) }, value);
  },
  'a request for nothing': () => send({ t: 'fetch', id: 4_711, call: 1, head: '{}', hasBody: false }),
  'a request twice': (id) => {
    for (const call of [1, 1]) send({ t: 'fetch', id, call, head: '{}', hasBody: false });
  },
  'a thousand requests': (id) => {
    for (let call = 1; call <= 1_001; call += 1) send({ t: 'fetch', id, call, head: '{}', hasBody: false });
  },
  'to be ready again': () => send({ t: 'ready', walls: [], missing: [] }),
  'a function it was not given': () => send({ t: 'loaded', key: 'other', problem: null }),
  'an unknown level of the log': (id) =>
    send({ t: 'returned', ...end(id), logs: [{ at: 1, level: 'fatal', message: 'x' }] }, value),
  'a value that is no JSON': (id) => send({ t: 'returned', ...end(id) }, Buffer.from('{')),
  'a value over the bound': (id) => send({ t: 'returned', ...end(id) }, Buffer.from(`"${'x'.repeat(1_100_000)}"`)),
  'a nested value': (id) => send({ t: 'returned', ...end(id) }, Buffer.from(`${'['.repeat(5_000)}${']'.repeat(5_000)}`)),
  'nothing and ends': () => process.exit(3),
};

let lie = '';
const reader = new FrameReader(options.maxFrameBytes);
socket.on('data', (chunk: Buffer) => {
  for (const { head, body } of reader.push(chunk)) {
    const message = head as ToChild;
    if (message.t === 'code') {
      lie = body.toString('utf8');
      send({ t: 'loaded', key: message.key, problem: null });
    } else if (message.t === 'run') (lies[lie] ?? (() => send({ t: 'returned', ...end(message.id) }, value)))(message.id);
  }
});
socket.on('close', () => process.exit(0));
send({ t: 'ready', walls: [], missing: [] });
