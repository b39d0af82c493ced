import type { CallResult } from '../../crm/call-result';
import type { IdentityMap, IdentityOfRecord } from '../../crm/identities';

/** Twin of IdentityMap: a list of mappings, the newest last. */
export class IdentityMapTwin implements IdentityMap {
  private saved: IdentityOfRecord[];

  constructor(mappings: readonly IdentityOfRecord[] = []) {
    this.saved = [...mappings];
  }

  mappings(): readonly IdentityOfRecord[] {
    return this.saved;
  }

  ready(): CallResult<null> {
    return { ok: true, value: null };
  }

  save(mapping: IdentityOfRecord): CallResult<null> {
    this.remove(mapping);
    this.saved.push(mapping);
    return { ok: true, value: null };
  }

  async externalIdOf(record: Omit<IdentityOfRecord, 'externalId'>): Promise<CallResult<string | null>> {
    const found = this.saved.filter(
      ({ entity, objectType, crmId }) => entity === record.entity && objectType === record.objectType && crmId === record.crmId,
    );
    return { ok: true, value: found.at(-1)?.externalId ?? null };
  }

  remove({ entity, externalId }: IdentityOfRecord): CallResult<null> {
    this.saved = this.saved.filter((mapping) => mapping.entity !== entity || mapping.externalId !== externalId);
    return { ok: true, value: null };
  }
}
