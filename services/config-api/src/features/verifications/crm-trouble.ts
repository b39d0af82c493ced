import type { VerifyReader } from '@sluice/flow-run';
import type { CallFailure } from '@sluice/ports';

/** What a wrapped reader is asked for. */
type Read = (...asked: never[]) => Promise<{ ok: boolean }>;

/**
 * What went wrong while the CRM was read. A record that cannot be read now says nothing about what the CRM holds, so that what
 * was found beside it does not count either.
 */
export class CrmTrouble {
  private failure: CallFailure | null = null;

  /** null: everything was answered. */
  get(): CallFailure | null {
    return this.failure;
  }

  /** The same reader, whose failures are noted: a fatal one counts more than one that may pass. */
  watched(reader: VerifyReader): VerifyReader {
    const noted = <R extends Read>(read: R): R =>
      ((...asked) => read(...asked).then((answer) => {
        if (!answer.ok) this.note(answer as CallFailure);
        return answer;
      })) as R;
    return {
      find: noted(reader.find), query: noted(reader.query), associated: noted(reader.associated),
      readById: noted(reader.readById), definition: noted(reader.definition),
    };
  }

  private note(failure: CallFailure): void {
    if (failure.kind === 'permanent' && failure.code !== 'crm_portal_not_bound') return;
    if (this.failure === null || this.failure.kind === 'transient') this.failure = failure;
  }
}
