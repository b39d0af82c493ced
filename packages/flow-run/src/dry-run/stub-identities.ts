import type { CallResult, IdentityMap, IdentityOfRecord } from '@sluice/ports';
import type { DryRunNotes } from './dry-run-notes';

/** What invented external ids begin with, so that nobody takes one for real. */
const inventedId = 'dry-run-external-id-';
const saved: CallResult<null> = { ok: true, value: null };

/** The identity mappings of a dry run: those that the run saved; every other record has an invented external id. */
export class StubIdentities implements IdentityMap {
  private readonly mappings = new Map<string, string>();

  constructor(private readonly notes: DryRunNotes) {}

  ready(): CallResult<null> {
    return saved;
  }

  save(mapping: IdentityOfRecord): CallResult<null> {
    this.mappings.set(keyOf(mapping), mapping.externalId);
    return saved;
  }

  async externalIdOf(record: Omit<IdentityOfRecord, 'externalId'>): Promise<CallResult<string | null>> {
    const known = this.mappings.get(keyOf(record));
    if (known !== undefined) return { ok: true, value: known };
    this.notes.flag({
      simulated_identity: true,
      simulated_identity_note: `the external id of CRM record ${record.crmId} is invented: a dry run reads no identity mapping`,
    });
    return { ok: true, value: `${inventedId}${record.crmId}` };
  }

  remove(mapping: IdentityOfRecord): CallResult<null> {
    this.mappings.delete(keyOf(mapping));
    return saved;
  }
}

const keyOf = ({ entity, objectType, crmId }: Omit<IdentityOfRecord, 'externalId'>): string =>
  JSON.stringify([entity, objectType, crmId]);
