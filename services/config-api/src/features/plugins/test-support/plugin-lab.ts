import { randomUUID } from 'node:crypto';
import type { Caller } from '../../../test-support/lab';
import { lab } from '../../../test-support/shared-lab';

export const good = "exports.handler = async (payload) => { console.log('ran'); return { got: payload, action: payload.action }; };";

/** Pushes code to a plugin. */
export const push = (caller: Caller, id: string, bundle: string | null = good, source?: string) => {
  const sent = caller.post(`/api/plugins/${id}/push`);
  if (source !== undefined) void sent.field('source_code', source);
  return bundle === null ? sent : sent.attach('bundle', Buffer.from(bundle), 'bundle.js');
};

export async function aPlugin(caller: Caller, body: object = {}): Promise<{ id: string; path: string; name: string }> {
  const name = `plugin ${randomUUID()}`;
  const made = (await caller.post('/api/plugins', { name, ...body }).expect(201)).body;
  return { id: made.id, path: `/api/plugins/${made.id}`, name: made.name };
}

/** A plugin that was pushed and promoted to live. */
export async function livePlugin(caller: Caller, body: object = {}, bundle = good) {
  const plugin = await aPlugin(caller, body);
  await push(caller, plugin.id, bundle).expect(202);
  await caller.post(`${plugin.path}/promote`, { target: 'live' }).expect(202);
  await lab.landPlugins();
  return plugin;
}

/** Acts upon plugins in the audit log, oldest first. */
export const audits = async (owner: Caller): Promise<string[]> => {
  const { items } = (await owner.get(`/api/orgs/${owner.organizationId}/audit`).expect(200)).body;
  return (items as { action: string }[]).map(({ action }) => action).filter((action) => action.startsWith('plugin.')).reverse();
};
