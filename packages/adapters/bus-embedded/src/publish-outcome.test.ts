import { publishOutcome } from './publish-outcome';

const failure = (message: string, code?: string): Error => Object.assign(new Error(message), code ? { code } : {});

describe('publishOutcome', () => {
  it.each([
    ['the server rolled back', failure('disk full', '53100'), 'refused'],
    ['bad data', failure('invalid byte sequence', '22021'), 'refused'],
    ['a connection known to be dead', failure('Client has encountered a connection error and is not queryable'), 'refused'],
    ['a connection that went away', failure('Connection terminated unexpectedly'), 'unknown'],
    ['a reset', failure('read ECONNRESET', 'ECONNRESET'), 'unknown'],
    ['a timeout', failure('Query read timeout'), 'unknown'],
    ['a shutdown in the middle', failure('terminating connection due to administrator command', '57P01'), 'unknown'],
    ['an internal error', failure('could not write to log file', 'XX000'), 'unknown'],
  ])('%s', (_name, error, outcome) => {
    expect(publishOutcome(error)).toEqual({ ok: false, outcome, message: error.message });
  });
});
