import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openApiDocument } from '@sluice/contracts';
import { createScriptedModel } from '@sluice/ports/testing';
import { schemaCompilers } from '@sluice/service-kit';
import { fuzz, type Operation, operationsOf } from '@sluice/testkit';
import { contactConfig } from './test-support/contact-config';
import { operatorToken, startLab } from './test-support/lab';
import { ownRoutes } from './test-support/own-routes';

describe('every answer to random requests of each operation is documented', () => {
  let lab: Awaited<ReturnType<typeof startLab>>;
  let server: Server;
  beforeAll(async () => {
    lab = await startLab({}, undefined, undefined, { model: createScriptedModel() });
    server = createServer(lab.app);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterAll(async () => {
    await new Promise((resolve) => server.close(resolve));
    await lab.stop();
  });

  const nameIn = (path: string): string =>
    path.includes('/flows/') ? 'customers' : path.includes('/sources') ? 'hook' : 'customer';

  /** Whether an operation ends sessions or removes things that others need. */
  const endsThings = ({ method, path }: Operation): boolean =>
    method.toLowerCase() === 'delete' || path.startsWith('/operator') || path.startsWith('/api/auth');

  let shared: ReturnType<typeof world> | undefined;
  const worldOf = (operation: Operation) => (endsThings(operation) ? world() : (shared ??= world()));

  /** Things that exist. */
  async function world() {
    // Sign-ins of the lab before must not slow down those of this one.
    lab.kv.now += 86_400_000;
    const owner = await lab.owner();
    const post = async (path: string, body: object) => (await owner.post(path, body)).body as Record<string, string>;
    const connector = await post('/api/connectors', { name: 'Fuzzed' });
    const path = `/api/connectors/${connector['id']}`;
    const [key, credential] = [
      await post(`${path}/api-keys`, { label: 'k' }),
      await post('/api/credentials', { name: 'erp', credential_type: 'api_key', data: { value: 'a-key' } }),
    ];
    await owner.put(`${path}/draft`, { ...contactConfig, sources: [{ name: 'hook', type: 'webhook' }] }).expect(200);
    await owner.post(`${path}/publish`).expect(200);
    const orgKey = await post('/api/org-api-keys', { label: 'k' });
    return {
      owner,
      known: {
        connector_id: connector['id']!,
        credential_id: credential['id']!,
        organization_id: owner.organizationId,
        org_id: owner.organizationId,
        version: '1',
        from: '1',
        to: '1',
      },
      keys: [key['id']!, orgKey['id']!],
    };
  }

  const operations = operationsOf(openApiDocument({ title: 'Sluice', version: '1', routes: ownRoutes() }));
  it.each(operations.map((operation) => [operation.operationId, operation] as const))(
    '%s',
    async (_name, operation) => {
      const { owner, known, keys } = await worldOf(operation);
      const token = operation.path.startsWith('/operator') ? operatorToken : owner.token;
      const { port } = server.address() as AddressInfo;
      expect(
        await fuzz(operation, {
          baseUrl: `http://127.0.0.1:${port}`,
          headers: { authorization: `Bearer ${token}` },
          compile: schemaCompilers.json,
          known: {
            ...known,
            name: nameIn(operation.path),
            key_id: operation.path.includes('org-api-keys') ? keys[1]! : keys[0]!,
          },
        }),
      ).toEqual([]);
    },
    60_000,
  );
});
