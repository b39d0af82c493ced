import type { CallResult, CrmAssociationType } from '@sluice/ports';
import { callForUnit } from '../calls/call-for-unit';
import { forNoUnit, type PortalSession } from '../session/portal-session';
import type { RecordCalls } from '../calls/record-calls';
import { createTtlCache } from '../shared/ttl-cache';
import type { UnitContext } from '../shared/unit-context';
import type { WriterParts } from '../state/writer-parts';

/** A note of a record that carries files. */
export interface FileNote {
  id: string;
  fileIds: string[];
  /** HTML. */
  body: string;
}

/** The notes of records, as far as files are concerned. */
export interface FileNotes {
  /** The notes with files among the first page of the record's associations, or the first `limit` of it. */
  withFiles(unit: UnitContext, objectType: string, crmId: string, limit?: number): Promise<CallResult<FileNote[]>>;
  /** Whether a note other than these carries the file. The search lags: it may miss a new note, or still show a deleted one. */
  carriedElsewhere(unit: UnitContext, fileId: string, notes: readonly string[]): Promise<CallResult<boolean>>;
  /** The type that leads from a note to a record. */
  linkType(objectType: string): Promise<CallResult<CrmAssociationType>>;
}

const filesOf = (property: string | null | undefined): string[] =>
  (property ?? '')
    .split(';')
    .map((id) => id.trim())
    .filter((id) => id !== '');

const [attachments, body] = ['hs_attachment_ids', 'hs_note_body'];
/** Notes that one search returns at most. */
const searchLimit = 100;
/** How long a portal's association definitions are cached, and for how many object types. */
const [ttlMs, maxTypes] = [600_000, 1_000];

export function createFileNotes(
  { activity, monotonicNow }: Pick<WriterParts, 'activity' | 'monotonicNow'>,
  session: PortalSession,
  records: Pick<RecordCalls, 'read'>,
): FileNotes {
  const types = createTtlCache<CrmAssociationType[]>(
    { ttlMs, max: maxTypes, monotonicNow, worthKeeping: (known) => known.length > 0 },
  );
  const wire = { activity, session };
  return {
    withFiles: async (unit, objectType, crmId, limit) => {
      const links = await callForUnit(wire, unit, 'read', (client, access, options) =>
        client.batchReadAssociations(access, objectType, 'notes', [crmId], options),
      );
      if (!links.ok) return links;
      const ids = [...new Set(links.value.flatMap(({ to }) => to.map(({ id }) => id)))].slice(0, limit);
      const readOne = (value: string) => {
        activity.enter();
        return records.read('notes', null, [attachments, body], { unit, value }).finally(() => activity.leave());
      };
      const notes: FileNote[] = [];
      for (const answer of await activity.waiting(Promise.all(ids.map(readOne)))) {
        if (!answer.ok) return answer;
        const { value } = answer;
        const fileIds = filesOf(value?.properties[attachments]);
        if (value && fileIds.length > 0) notes.push({ id: value.id, fileIds, body: value.properties[body] ?? '' });
      }
      return { ok: true, value: notes };
    },
    carriedElsewhere: async (unit, fileId, notes) => {
      const filters = [{ propertyName: attachments, operator: 'CONTAINS_TOKEN', value: fileId }];
      const search = { filterGroups: [{ filters }], properties: [attachments], limit: searchLimit };
      const found = await callForUnit(wire, unit, 'search', (client, access, options) =>
        client.search(access, 'notes', search, options),
      );
      if (!found.ok) return found;
      const others = found.value.results.filter(({ id }) => !notes.includes(id));
      return { ok: true, value: others.some(({ properties }) => filesOf(properties[attachments]).includes(fileId)) };
    },
    linkType: async (objectType) => {
      const known = await activity.waiting(
        types.get(objectType, () =>
          session.call(
            'read', (client, access, options) => client.associationTypes(access, 'notes', objectType, options), forNoUnit,
          ),
        ),
      );
      if (!known.ok) return known;
      const type = known.value.find(({ label }) => label === null) ?? known.value[0];
      if (type) return { ok: true, value: type };
      const message = `no association between notes and ${objectType} is defined on the portal`;
      return { ok: false, kind: 'permanent', code: 'association_definition_missing', message };
    },
  };
}
