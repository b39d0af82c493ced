import type { ConfigDocument } from '@sluice/contracts';
import { lab } from '../../../test-support/shared-lab';

/** An owner with a connector on a portal of its own. */
export async function start(options: { tier?: string; portalId?: number } = {}) {
  const owner = await lab.owner(options.tier);
  if (options.portalId) {
    const { accessToken } = lab.simulator.state.addPortal(options.portalId, {
      ...lab.simulator.state.portals.get(1_000_001)!.settings,
    });
    await owner
      .post('/api/credentials', { name: 'portal', credential_type: 'crm_oauth', data: { access_token: accessToken } })
      .expect(201);
  }
  const { id } = (await owner.post('/api/connectors', { name: 'Shop' }).expect(201)).body as { id: string };
  const path = `/api/connectors/${id}`;
  return { owner, id, path, draft: `${path}/draft`, publish: `${path}/publish` };
}
export const withSources = (sources: ConfigDocument['sources']): ConfigDocument => ({
  version: '3.0',
  entities: [],
  flows: [],
  sources,
});
export const calls = (portalId: number, path: RegExp) =>
  [...lab.simulator.state.calls.entries()].filter(
    (call) => call.portalId === portalId && call.method === 'POST' && path.test(call.path),
  );
