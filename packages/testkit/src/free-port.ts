import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';

/** The first port that we take, and where the system's own begin where it does not tell. */
const [first, usualSystemPorts] = [10_240, 32_768];
/** So many ports below those of the system are enough for a run. */
const enough = 2_000;

const end = systemPorts();
const size = end - first;
/**
 * Each process has its own part of them, so that several that take ports at the same time meet none of each other's. In it each
 * test file begins elsewhere: a client that a former one left behind finds nobody.
 */
const part = 1_000;
let next = process.pid * part + randomInt(part - 100);

/**
 * A TCP port of 127.0.0.1 that was free a moment ago. It is below the ports that the system gives to connections and to servers
 * that ask for any: nobody but another caller of this takes it before its server starts, or while that is down in a test.
 */
export async function freePort(): Promise<number> {
  if (!(size >= enough)) return listen(0);
  for (let tries = 0; tries < size; tries += 1) {
    const port = first + (next++ % size);
    try {
      return await listen(port);
    } catch (error) {
      if (!['EADDRINUSE', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
  throw new Error(`no port from ${first} to ${end} is free`);
}

/** The first port of those that the system gives away. */
function systemPorts(): number {
  try {
    return Number.parseInt(readFileSync('/proc/sys/net/ipv4/ip_local_port_range', 'utf8'), 10);
  } catch {
    // Not Linux: its range is above.
    return usualSystemPorts;
  }
}

/** Listens for a moment. @returns the port */
function listen(wanted: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(wanted, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}
