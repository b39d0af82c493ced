import { parseArgs } from 'node:util';
import { createCrmSimulator } from './create-crm-simulator';

const defaultPort = '8090';

/** The port from `--port`, else the setting, else the default; undefined when it is no port. */
function readPort(): number | undefined {
  const { values } = parseArgs({ options: { port: { type: 'string' }, host: { type: 'string' } }, strict: true, allowPositionals: false });
  const text = values.port ?? process.env['SLUICE_CRM_SIMULATOR_PORT'] ?? defaultPort;
  const port = Number(text);
  return /^\d+$/.test(text) && port <= 65_535 ? port : undefined;
}

async function main(): Promise<void> {
  const port = readPort();
  if (port === undefined) throw new Error('--port (or SLUICE_CRM_SIMULATOR_PORT) must be a port number from 0 to 65535');
  const simulator = createCrmSimulator({ clientId: process.env['SLUICE_CRM_CLIENT_ID'], clientSecret: process.env['SLUICE_CRM_CLIENT_SECRET'] });
  const { url } = await simulator.start(port);
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
