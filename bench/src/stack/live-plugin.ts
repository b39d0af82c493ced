import { eventually } from '@sluice/testkit';
import type { Call } from './tenant';

/** A plugin of the caller's organization, pushed and promoted to live through the public API. plugin-deployer must run. */
export async function createLivePlugin(
  configApi: string, { call, token }: { call: Call; token(): Promise<string> }, { name, code }: { name: string; code: string },
): Promise<void> {
  const { id } = await call<{ id: string }>('POST', '/api/plugins', { name, capabilities: {} });
  const form = new FormData();
  form.set('bundle', new Blob([code]), 'bundle.js');
  const headers = { authorization: `Bearer ${await token()}` };
  const pushed = await fetch(`${configApi}/api/plugins/${id}/push`, { method: 'POST', headers, body: form });
  if (!pushed.ok) throw new Error(`the push of ${name} was answered ${pushed.status} ${await pushed.text()}`);
  await call('POST', `/api/plugins/${id}/promote`, { target: 'live' });
  await eventually(async () => {
    const plugin = await call<{ status: string; error_message: string | null }>('GET', `/api/plugins/${id}`);
    if (plugin.status === 'error') throw new Error(`the promotion of ${name} failed: ${plugin.error_message}`);
    return plugin.status === 'live';
  }, { timeoutMs: 60_000, everyMs: 250 });
}
