import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openApiDocument, type RouteContract } from '@sluice/contracts';
import { createScriptedModel } from '@sluice/ports/testing';
import { schemathesisFindings, schemathesisTimeoutMs } from '@sluice/testkit';
import { contactConfig } from './test-support/contact-config';
import { operatorToken, startLab } from './test-support/lab';
import { ownRoutes } from './test-support/own-routes';

/** Each with its own caller, because a caller that signs out has no session, and an operator closes organizations. */
const parts: { name: string; has(route: RouteContract): boolean }[] = [
  { name: 'the config plane', has: ({ auth, name }) => auth !== 'operator' && name !== 'logout' },
  { name: 'the operator', has: ({ auth }) => auth === 'operator' },
  { name: 'the end of a session', has: ({ name }) => name === 'logout' },
];
const routes = ownRoutes();

describe('schemathesis finds no server error and no answer that is not documented', () => {
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

  test('every operation belongs to one part', () => {
    expect(routes.map((route) => [route.name, parts.filter(({ has }) => has(route)).length])).toEqual(
      routes.map(({ name }) => [name, 1]),
    );
  });

  it.each(parts)('$name', async ({ name, has }) => {
    // Sign-ins of the part before must not slow down those of this one.
    lab.kv.now += 86_400_000;
    const owner = await lab.owner();
    const connector = (await owner.post('/api/connectors', { name: 'Known' }).expect(201)).body;
    await owner.put(`/api/connectors/${connector.id}/draft`, contactConfig).expect(200);
    const known = {
      connector_id: connector.id,
      organization_id: owner.organizationId,
      org_id: owner.organizationId,
      version: '1',
      from: '1',
      to: '1',
      name: 'customer',
    };
    const asked = routes.filter(has);
    const findings = await schemathesisFindings({
      baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      document: openApiDocument({ title: 'Sluice', version: '1', routes: asked }),
      headers: { authorization: `Bearer ${name === 'the operator' ? operatorToken : owner.token}` },
      known,
    });
    expect(findings).toBe('');
  }, schemathesisTimeoutMs);
});
