import { StoreUnavailable } from '@sluice/ports';
import { asStoreError, isConflict, isUnavailable } from './store-error';
import { retried } from './transaction';

const coded = (code: string): Error => Object.assign(new Error(code), { code });

describe('isUnavailable', () => {
  it.each(['ECONNREFUSED', 'ECONNRESET', '08006', '08001', '57P01', '57P02', '57P03', '53300', '57014'])('%s', (code) => {
    expect(isUnavailable(coded(code))).toBe(true);
  });

  it.each(['Connection terminated unexpectedly', 'timeout exceeded when trying to connect', 'Query read timeout'])(
    '%s',
    (message) => {
      expect(isUnavailable(new Error(message))).toBe(true);
    },
  );

  it('looks into the attempts of a host with several addresses', () => {
    expect(isUnavailable(new AggregateError([coded('ECONNREFUSED')]))).toBe(true);
  });

  it.each(['23505', '42601', '22P02'])('%s is a bug of ours', (code) => {
    const bug = coded(code);
    expect(isUnavailable(bug)).toBe(false);
    expect(asStoreError(bug)).toBe(bug);
  });
});

describe('asStoreError', () => {
  it('has the cause and its code, not its message', () => {
    const cause = Object.assign(new Error('password authentication for postgres://u:secret@h'), { code: '08006' });
    const error = asStoreError(cause) as StoreUnavailable;
    expect(error).toBeInstanceOf(StoreUnavailable);
    expect(error.message).toBe('the database cannot be asked (08006)');
    expect(error.cause).toBe(cause);
  });
});

describe('retried', () => {
  it('runs again after a conflict, a bounded number of times', async () => {
    let runs = 0;
    const conflict = async (): Promise<never> => {
      runs += 1;
      throw coded('40P01');
    };
    expect(isConflict(coded('40001'))).toBe(true);
    await expect(retried(conflict)).rejects.toBeInstanceOf(StoreUnavailable);
    expect(runs).toBe(5);
  });

  it('returns the answer of a later run', async () => {
    let runs = 0;
    const second = async (): Promise<number> => {
      runs += 1;
      if (runs === 1) throw coded('40001');
      return runs;
    };
    await expect(retried(second)).resolves.toBe(2);
  });
});
