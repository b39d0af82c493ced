import { Socket } from 'node:net';
import { encodeFrame, FrameReader } from '../wire/frames';
import type { FromChild, ToChild } from '../wire/messages';
import { createEngine } from './engine';
import { GuestRunner } from './guest-runner';
import { raiseWalls } from './os-walls';
import type { ChildOptions } from './child-options';

/** The descriptor by which the service and its child talk. */
const channel = 3;

async function main(): Promise<void> {
  // Local time is UTC for every function, and is asked for once, while files can still be read.
  process.env.TZ = 'UTC';
  new Date().getTimezoneOffset();
  const options = JSON.parse(process.argv.at(-1) ?? '{}') as ChildOptions;
  const socket = new Socket({ fd: channel, readable: true, writable: true });
  // Each message in a write of its own, at once: the next invocation may compute for seconds.
  const send = (message: FromChild, body?: Uint8Array): void => {
    socket.cork();
    for (const part of encodeFrame(message, body)) socket.write(part);
    socket.uncork();
  };
  const reader = new FrameReader(options.maxFrameBytes);
  const runner = new GuestRunner(createEngine(), options.bounds, send);
  await runner.openBlank();
  socket.on('data', (chunk: Buffer) => {
    for (const { head, body } of reader.push(chunk)) runner.take(head as ToChild, body).catch(die);
  });
  // The service is gone: so is whoever would take an answer.
  socket.on('close', die);
  socket.on('error', die);
  send({ t: 'ready', ...raiseWalls(options) });
}

/** Without the handlers of the end of a process, which would need what the walls refuse. */
function die(): void {
  (process as unknown as { reallyExit(code: number): never }).reallyExit(70);
}

process.on('uncaughtException', die);
process.on('unhandledRejection', die);
main().catch(die);
