import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { freePort } from './free-port';

const listening = (port: number) => {
  const server = createServer();
  return new Promise<typeof server>((resolve) => void server.listen(port, '127.0.0.1', () => resolve(server)));
};

/** The first port that the system gives away; systems that do not tell begin far above. */
const ownOfSystem = '/proc/sys/net/ipv4/ip_local_port_range';
const systemPorts = existsSync(ownOfSystem) ? Number.parseInt(readFileSync(ownOfSystem, 'utf8'), 10) : 32_768;
/** A machine may be set to give away almost all: then it gives away ours, too. */
const whereOthersAre = systemPorts > 20_000 ? test : test.skip;
if (systemPorts <= 20_000) process.stderr.write(`freePort is not tested: this system gives away all ports from ${systemPorts} on\n`);

whereOthersAre('gives each port once', async () => {
  const ports = await Promise.all(Array.from({ length: 50 }, freePort));
  expect(new Set(ports).size).toBe(50);
});

whereOthersAre('gives none that the system may give to somebody else meanwhile', async () => {
  expect(await freePort()).toBeLessThan(systemPorts);
});

whereOthersAre('leaves out what somebody listens on', async () => {
  const at = await freePort();
  const server = await listening(at + 1);
  expect(await freePort()).not.toBe(at + 1);
  server.close();
});
