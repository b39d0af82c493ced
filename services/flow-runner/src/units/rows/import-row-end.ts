import { type ImportRowEnd, type RecordRow, turnOfImportRun } from '@sluice/ports';
import type { Unit } from '../unit';

type Outcome = Pick<ImportRowEnd, 'status' | 'error' | 'errorCode'>;

/** How the row of a bulk import ends with its event; undefined: the event is none of an import. */
export function importRowEnd(
  { envelope, key }: Pick<Unit, 'envelope' | 'key'>, rows: readonly RecordRow[],
): ImportRowEnd | undefined {
  if (!envelope.import_row) return undefined;
  const turn = envelope.kind === 'import' ? turnOfImportRun(key.run) : null;
  const crmId = rows.find((row) => row.crmId !== null)?.crmId ?? null;
  return { ...envelope.import_row, turn, crmId, ...outcomeOf(rows) };
}

/** Of several record rows, for items of a list: what failed beside what was written is told, and the row counts as written. */
function outcomeOf(rows: readonly RecordRow[]): Outcome {
  const failed = rows.find(({ status }) => status !== 'completed' && status !== 'skipped' && status !== 'partial_success');
  const written = rows.some(({ status }) => status === 'completed' || status === 'partial_success');
  if (written) {
    const trouble = failed ?? rows.find(({ status }) => status === 'partial_success');
    return { status: 'completed', error: trouble?.error ?? null, errorCode: trouble ? codeOf(trouble) : null };
  }
  if (!failed) return { status: 'skipped', error: null, errorCode: rows[0]?.reason ?? null };
  return { status: failed.status === 'parked' ? 'parked' : 'failed', error: failed.error, errorCode: codeOf(failed) };
}

function codeOf({ status, errorCode, reason }: RecordRow): string | null {
  if (status === 'quarantined') return 'quarantined';
  return status === 'dlq' ? (reason ?? errorCode) : errorCode;
}
