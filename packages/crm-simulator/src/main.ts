import { parseArgs } from 'node:util';
import { createCrmSimulator } from './create-crm-simulator';

const defaultPort = '8090';

/**
 * Where to listen: the port from `--port`, else the setting, else the default (undefined when it is no port); the host from
 * `--host`.
 */
function readAddress(): { port: number | undefined; host: string | undefined } {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, host: { type: 'string' } },
    strict: true,
    allowPositionals: false,
  });
  const text = values.port ?? process.env['SLUICE_CRM_SIMULATOR_PORT'] ?? defaultPort;
  const port = Number(text);
  return { port: /^\d+$/.test(text) && port <= 65_535 ? port : undefined, host: values.host };
}

async function main(): Promise<void> {
  const { port, host } = readAddress();
  if (port === undefined) throw new Error('--port (or SLUICE_CRM_SIMULATOR_PORT) must be a port number from 0 to 65535');
  const simulator = createCrmSimulator({
    clientId: process.env['SLUICE_CRM_CLIENT_ID'] || undefined,
    clientSecret: process.env['SLUICE_CRM_CLIENT_SECRET'] || undefined,
  });
  const { url } = await simulator.start(port, host);
  process.stdout.write(`CRM simulator is ready at ${url}\n`);
  const stop = (): void => {
    void simulator.stop().then(() => process.exit(0));
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
