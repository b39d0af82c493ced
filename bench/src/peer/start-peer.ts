import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, freePort } from '@sluice/testkit';
import { createPlainTopic } from '../plain/create-plain-topic';
import type { Portal } from '../stack/crm';
import { buildPeer, peerStreams } from './build-peer';

/** The peer as a process: HTTP to Kafka, Kafka to the CRM in batches. */
export interface Peer {
  readonly pid: number;
  /** Address that takes events of the `data` shape at `/events`. */
  readonly url: string;
  stop(): Promise<void>;
}

const partitions = 24;

/** Builds it when needed, and starts it on the broker and the portal of a run. */
export async function startPeer(brokers: string[], crmUrl: string, portal: Portal): Promise<Peer> {
  const program = await buildPeer();
  const [port, admin] = await Promise.all([freePort(), freePort()]);
  const topic = `peer.events.${port}`;
  await createPlainTopic(brokers, topic, partitions);
  const streams = readdirSync(peerStreams.folder).map((name) => join(peerStreams.folder, name));
  const child = spawn(program, ['-c', peerStreams.service, 'streams', ...streams], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env, PEER_PORT: String(port), PEER_ADMIN_PORT: String(admin), PEER_BROKERS: brokers.join(','), PEER_TOPIC: topic,
      PEER_CRM_URL: crmUrl, PEER_CRM_TOKEN: portal.accessToken,
    },
  });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    const hard = setTimeout(() => child.kill('SIGKILL'), 5_000);
    await ended;
    clearTimeout(hard);
  };
  try {
    await eventually(() => isOpen(port, child), { timeoutMs: 30_000, everyMs: 100 });
    if (child.exitCode !== null) throw new Error(`the peer ended with ${child.exitCode}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return { pid: child.pid!, url: `http://127.0.0.1:${port}`, stop };
}

/** Whether waiting is over: something listens on the port, or the process has ended. @throws Error until then */
async function isOpen(port: number, child: ChildProcess): Promise<true> {
  if (child.exitCode !== null) return true;
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', reject);
  });
}
