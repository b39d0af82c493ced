import { type AddressInfo, createServer } from 'node:net';

/** Thrown when a port that the settings name is taken. */
export class PortTaken extends Error {
  override name = 'PortTaken';
}

/**
 * The port itself, or for 0 one that is free now: addresses are known before what listens there has started.
 * @param setting named in the error when the port is taken
 * @throws PortTaken
 */
export function usablePort(port: number, setting: string, host?: string): Promise<number> {
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
