import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfigDocument, ValidationEntry } from '@sluice/contracts';
import type { DraftRow } from '@sluice/ports';
import { apiError, HttpError } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { DraftDeps } from './deps';
import { readDraft, writeDraft } from './draft-answer';

/** How often a change is repeated because another process wrote the draft in between. */
const maxAttempts = 40;

/**
 * When two processes change one draft repeatedly, the same one could always win: from the third try on each waits a random time
 * up to this one. Milliseconds.
 */
const longestPauseMs = 40;
const pause = (attempt: number): Promise<void> =>
  attempt < 3 ? Promise.resolve() : sleep(Math.random() * Math.min(longestPauseMs, 2 ** attempt));

export interface ChangedDraft {
  config: unknown;
  /** The path of the request's body in the document, for the `loc` of a 422. Absent: the body is the document. */
  bodyAt?: readonly (string | number)[];
  /** Moves the base, for a draft that starts over from a version. */
  baseVersion?: number;
}

export interface DraftChange {
  /** Returns the draft after the change. It may be called again, with a newer draft; an error that it throws is the answer. */
  change(config: ConfigDocument): ChangedDraft | Promise<ChangedDraft>;
  /** If given, the change is made for this `draft_version` only. */
  expectedVersion?: number;
  /** Bytes of the request's body. */
  bytes: number;
}

/**
 * Reads the draft, changes it and stores it, without losing concurrent writes: a change without `expected_version` is repeated on
 * the newer draft. Answers the draft as a read does.
 */
export function changeDraft(deps: DraftDeps, principal: Principal, connectorId: string, change: DraftChange) {
  return deps.draftTurns.take(connectorId, change.bytes, async () => {
    for (let attempt = 1; ; attempt += 1) {
      const draft = await readDraft(deps, connectorId);
      try {
        return await changeOnce(deps, principal, connectorId, draft, change);
      } catch (error) {
        const moved = error instanceof HttpError && error.status === 409 && isConflict(error);
        if (!moved || change.expectedVersion !== undefined || attempt === maxAttempts) throw error;
        await pause(attempt);
      }
    }
  });
}

async function changeOnce(
  deps: DraftDeps,
  principal: Principal,
  connectorId: string,
  draft: DraftRow,
  { change, expectedVersion }: DraftChange,
) {
  const { draftVersion } = draft;
  if (expectedVersion !== undefined && expectedVersion !== draftVersion)
    throw apiError('draft_version_conflict', { expected_version: expectedVersion, draft_version: draftVersion });
  const { config, bodyAt, baseVersion } = await change(draft.config as ConfigDocument);
  try {
    return await writeDraft(deps, principal, connectorId, { config, baseVersion, expectedVersion: draftVersion });
  } catch (error) {
    throw bodyAt && error instanceof HttpError && error.status === 422 ? relativeTo(bodyAt, error) : error;
  }
}

const isConflict = ({ detail }: HttpError): boolean =>
  (detail as { code?: unknown } | null)?.code === 'draft_version_conflict';

/**
 * The same refusal with `loc` relative to the request's body. A problem elsewhere in the document is caused by the part that the
 * path names: its `loc` starts with the path.
 */
function relativeTo(bodyAt: readonly (string | number)[], error: HttpError): HttpError {
  if (!Array.isArray(error.detail)) return error;
  const entries = (error.detail as ValidationEntry[]).map((entry) => {
    const place = entry.loc.slice(1);
    const inside = bodyAt.every((part, index) => place[index] === part);
    return { ...entry, loc: inside ? ['body', ...place.slice(bodyAt.length)] : ['path', 'name', ...place] };
  });
  return new HttpError(error.status, entries, error.headers);
}
