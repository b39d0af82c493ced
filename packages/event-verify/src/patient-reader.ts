import type { VerifyReader } from '@sluice/flow-run';
import type { CallFailure } from '@sluice/ports';

/**
 * The same reader, with a bound on the time that all its reads may take together: a portal that hangs must not keep a thread that
 * other organizations wait for. Reads after that fail like a timeout.
 * @param ms begins with the first read
 */
export function patientReader(reader: VerifyReader, ms: number): VerifyReader & { end(): void } {
  let over: Promise<CallFailure> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const late = (): Promise<CallFailure> => {
    over ??= new Promise((resolve) => { timer = setTimeout(resolve, ms, tooLate); });
    return over;
  };
  const bounded = <Args extends unknown[], Answer>(read: (...args: Args) => Promise<Answer>) =>
    (...args: Args): Promise<Answer | CallFailure> => Promise.race([read(...args), late()]);
  return {
    find: bounded(reader.find),
    query: bounded(reader.query),
    associated: bounded(reader.associated),
    readById: bounded(reader.readById),
    definition: bounded(reader.definition),
    end: () => clearTimeout(timer),
  };
}

const tooLate: CallFailure = {
  ok: false, kind: 'transient', code: 'crm_timeout', message: 'the CRM does not answer in time',
};
