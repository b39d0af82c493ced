import { createScriptedModel } from '@sluice/ports/testing';
import { type Lab, shareLab } from '../../test-support/shared-lab';

/** The model that the assistant of these tests asks. */
export const model = createScriptedModel();
export const shareAuditLab = (): void => shareLab({ SLUICE_TRUST_PROXY: '1' }, undefined, undefined, { model });

export interface Entry {
  at: string;
  actor: { type: string; id: string | null; label: string | null };
  action: string;
  target: { type: string; id: string | null };
  ip: string | null;
  request_id: string | null;
  outcome: string;
  reason: string | null;
}
type Owner = Pick<Awaited<ReturnType<Lab['owner']>>, 'get' | 'organizationId'>;
export const shown = ({ actor, action, target, outcome }: Entry) =>
  [`${actor.type} ${actor.label}`, action, target.type, target.id, outcome];
/** Oldest first. */
export const logOf = async (owner: Owner, query = ''): Promise<Entry[]> =>
  (await owner.get(`/api/orgs/${owner.organizationId}/audit?limit=200${query}`).expect(200)).body.items.reverse();

/** Actions that the tests of this file have seen in the log. */
export const told = new Set<string>();
