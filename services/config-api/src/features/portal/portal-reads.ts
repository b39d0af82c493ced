import { createTtlCache } from '@sluice/crm-writer';
import type {
  CallFailure, CallResult, CrmAssociationType, CrmPipeline, CrmPropertyDefinition, MonotonicClock,
} from '@sluice/ports';
import type { OpenPortal } from '../../provisioning/open-portal';

/** The definitions of a credential's portal, each cached for a while. */
export interface PortalReads {
  properties(credentialId: string, objectType: string): Promise<CallResult<CrmPropertyDefinition[]>>;
  pipelines(credentialId: string, objectType: string): Promise<CallResult<CrmPipeline[]>>;
  associationTypes(credentialId: string, from: string, to: string): Promise<CallResult<CrmAssociationType[]>>;
}

/** Answers kept, of all portals together. A list of properties is the largest: some hundred, up to 150 KB. */
const maxAnswers = 200;

const gone: CallFailure = {
  ok: false, kind: 'permanent', code: 'crm_credential_gone', message: 'the credential does not exist any more',
};

/**
 * The cache is keyed by credential: what one token may see, another may not.
 * @param options.generation rises when something is created on a portal from here: earlier answers are not used then
 */
export function createPortalReads(
  options: { openPortal: OpenPortal; ttlMs: number; monotonicNow: MonotonicClock; generation(): number },
): PortalReads {
  const { openPortal, ttlMs, monotonicNow, generation } = options;
  const cache = <T>() => createTtlCache<T>({ ttlMs, max: maxAnswers, monotonicNow });
  const properties = cache<CrmPropertyDefinition[]>();
  const pipelines = cache<CrmPipeline[]>();
  const types = cache<CrmAssociationType[]>();
  const key = (...names: string[]): string => JSON.stringify([generation(), ...names]);
  return {
    properties: (id, type) =>
      properties.get(key(id, type), async () => (await openPortal(id))?.properties(type) ?? gone),
    pipelines: (id, type) =>
      pipelines.get(key(id, type), async () => (await openPortal(id))?.pipelines(type) ?? gone),
    associationTypes: (id, from, to) =>
      types.get(key(id, from, to), async () => (await openPortal(id))?.associationTypes(from, to) ?? gone),
  };
}
