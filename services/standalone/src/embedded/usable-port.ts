import { randomInt } from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';

/** Thrown when a port that the settings name is taken. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/** Ports that systems give to nobody who asks for any, and how many of them are tried. */
const [lowest, beyond, tries] = [20_000, 32_768, 20];

/**
 * The port itself, or for 0 one that is free now: addresses are known before what listens there has started. Until then, which
 * takes seconds where a database is made first, no connection and no server of another program gets that one by chance.
 * @param setting named in the error when the port is taken
 * @throws PortTaken
 */
export async function usablePort(port: number, setting: string, host?: string): Promise<number> {
  for (let tried = 0; port === 0 && tried < tries; tried += 1) {
    const found = await probe(randomInt(lowest, beyond), setting, host).catch((error: unknown) => {
      if (!(error instanceof PortTaken)) throw error;
    });
    if (found !== undefined) return found;
  }
  return probe(port, setting, host);
}

function probe(port: number, setting: string, host?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      const taken = error.code === 'EADDRINUSE' || error.code === 'EACCES';
      reject(taken ? new PortTaken(`Port ${port} cannot be used (${error.code}). Set ${setting} to another one.`) : error);
    });
    server.listen({ port, host }, () => {
      const { port: usable } = server.address() as AddressInfo;
      server.close(() => resolve(usable));
    });
  });
}
