import type {
  AssociateAnswer, AssociateRequest, CallFailure, CallResult, CrmRecords, DissociateAnswer, FindRequest, PropertyValue,
  RecordTarget, RecordWrite, RecordWriteResult,
} from '@sluice/ports';
import { partialPort } from '@sluice/ports/testing';

interface Held {
  crm_id: string;
  objectType: string;
  properties: Record<string, string | null>;
}

/** The CRM as a dry run takes it to be: it holds what the run wrote, under the ids that a dry run gives, and refuses no value. */
export function emptyCrm(): CrmRecords {
  const world = new EmptyCrm();
  const promoted = { promoted: true, previous_external_id: null, reason: null, conflict: null };
  return partialPort<CrmRecords>('crm', {
    upsert: async (write) => world.write(write, { make: true }),
    update: async (write) => world.write(write, { make: false }),
    create: async (write) => {
      const known = world.known(write);
      return known ? written('skipped', known.crm_id) : world.write(write, { make: true });
    },
    updateById: async ({ objectType, crmId, properties }) => world.writeById(objectType, crmId, properties),
    remove: async (target) => {
      const crm_id = world.remove(target);
      const [gone, reason] = [crm_id === null, crm_id === null ? ('record_not_found' as const) : null];
      return { ok: true, value: { crm_id, deleted: !gone, already_absent: false, skipped: gone, reason } };
    },
    find: async (request) => {
      const found = world.found(request);
      return { ok: true, value: { record: found[0] ?? null, count: found.length } };
    },
    query: async () => ({ ok: true, value: { rows: [], total: 0 } }),
    associate: async (request) => world.associated(request),
    dissociate: async ({ to }) => dissociated(to),
    promote: async ({ crmId: crm_id }) => ({ ok: true, value: { ...promoted, crm_id } }),
  });
}

class EmptyCrm {
  private readonly held: Held[] = [];
  /** The ids of records by entity and external id. */
  private readonly mapped = new Map<string, string>();
  private made = 0;

  write(write: RecordWrite, { make }: { make: boolean }): CallResult<RecordWriteResult> {
    const { objectType, identityValue, properties } = write;
    const known = this.known(write);
    if (!known && !make) return written('skipped', null);
    if (!known && identityValue === null) return refused('identity_missing');
    const record = known ?? { crm_id: `dry-run-crm-id-${(this.made += 1)}`, objectType, properties: {} };
    if (!known) this.held.push(record);
    if (write.externalId !== null) this.mapped.set(keyOf(write), record.crm_id);
    return this.assigned(record, properties, known ? 'updated' : 'created');
  }

  writeById(objectType: string, crmId: string, properties: Record<string, PropertyValue>): CallResult<RecordWriteResult> {
    const record = this.held.find((one) => one.crm_id === crmId && one.objectType === objectType);
    return record ? this.assigned(record, properties, 'updated') : refused('crm_not_found');
  }

  remove(target: RecordTarget): string | null {
    const known = this.known(target);
    this.mapped.delete(keyOf(target));
    if (known) this.held.splice(this.held.indexOf(known), 1);
    return known?.crm_id ?? null;
  }

  /** By its external id, else by its identity value. */
  known(target: RecordTarget): Held | undefined {
    const { objectType, identityProperty, identityValue } = target;
    const mapped = target.externalId === null ? undefined : this.mapped.get(keyOf(target));
    const byId = this.held.find(({ crm_id }) => crm_id === mapped);
    if (byId || identityProperty === null || identityValue === null) return byId;
    return this.found({ objectType, match: { [identityProperty]: identityValue }, properties: [] })[0];
  }

  found({ objectType, match, through }: FindRequest): Held[] {
    if (through) return this.held.filter(({ crm_id }) => crm_id === this.mapped.get(keyOf(through)));
    const pairs = Object.entries(match).map(([name, value]) => [name, text(value).trim()] as const);
    if (pairs.some(([, value]) => value === '')) return [];
    return this.held.filter(
      (one) => one.objectType === objectType && pairs.every(([name, value]) => text(one.properties[name]) === value),
    );
  }

  associated({ from, to }: AssociateRequest): AssociateAnswer {
    const named = to.filter(({ externalId }) => externalId !== null);
    if ([from, ...named].some((target) => !this.known(target)))
      return { ...refused('related_record_not_synced'), kind: 'transient', stepsAside: true };
    const value = { associated: named.length, failed: 0, skipped: to.length - named.length, removed: 0, results: [] };
    return { ok: true, value };
  }

  private assigned(record: Held, properties: Record<string, PropertyValue>, how: Written): CallResult<RecordWriteResult> {
    for (const [name, value] of Object.entries(properties)) record.properties[name] = value === null ? null : String(value);
    return written(how, record.crm_id);
  }
}

type Written = 'created' | 'updated' | 'skipped';

const written = (how: Written, crm_id: string | null): CallResult<RecordWriteResult> => ({
  ok: true,
  value: { crm_id, created: how === 'created', updated: how === 'updated', skipped: how === 'skipped', reason: null },
});

const refused = (code: CallFailure['code']): CallFailure => ({ ok: false, kind: 'permanent', code, message: code });

const dissociated = (to: readonly RecordTarget[]): DissociateAnswer => ({
  ok: true, value: { removed: to.length, failed: 0, skipped: 0, results: [] },
});

const keyOf = ({ entity, externalId }: Pick<RecordTarget, 'entity' | 'externalId'>): string =>
  JSON.stringify([entity, externalId]);
const text = (value: PropertyValue | undefined): string => String(value ?? '').toLowerCase();
