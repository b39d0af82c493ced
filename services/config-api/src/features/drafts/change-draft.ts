import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfigDocument, ValidationEntry } from '@sluice/contracts';
import type { DraftRow } from '@sluice/ports';
import { apiError, HttpError } from '@sluice/service-kit';
import type { Principal } from '../../auth/principal';
import type { DraftDeps } from './deps';
import { readDraft, writeDraft } from './draft-answer';

/** Times a change is made again because another process wrote the draft in between. */
const maxAttempts = 40;

/**
 * Two processes that change one draft in step could go on with always the same one first: from the third try on each waits by
 * chance, up to so long. Milliseconds.
 */
const longestPauseMs = 40;
const pause = (attempt: number): Promise<void> =>
  attempt < 3 ? Promise.resolve() : sleep(Math.random() * Math.min(longestPauseMs, 2 ** attempt));

export interface ChangedDraft {
  config: unknown;
  /** Where the body of the request stands in the document, for the places of a 422. Absent: it is the document. */
  bodyAt?: readonly (string | number)[];
  /** Moves the base, for a draft that starts over from a version. */
  baseVersion?: number;
}

export interface DraftChange {
  /** The draft after the change. It may be asked again, with a newer draft; what it throws is the answer. */
  change(config: ConfigDocument): ChangedDraft | Promise<ChangedDraft>;
  /** Given: the change is made for this `draft_version` only. */
  expectedVersion?: number;
  /** Bytes of the request's body. */
  bytes: number;
}

/**
 * Reads the draft, changes it and stores it, without losing what others write at the same time: whoever gave no
 * `expected_version` makes the change again upon the newer draft. Answers the draft as a read does.
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
 * The same refusal with places in the request's body. What is wrong elsewhere in the document is so because of what the path
 * names: its place starts there.
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
