import { publishOutcome } from './publish-outcome';

const wrapped = (type: string): Error => Object.assign(new Error('wrapped'), { cause: Object.assign(new Error(type), { type }) });

describe('publishOutcome', () => {
  it.each([
    ['nothing was written', [{ error: new Error('ECONNREFUSED'), written: false, partitions: 3 }], 'refused'],
    ['the connection broke after the write', [{ error: new Error('Closed connection'), written: true, partitions: 1 }], 'unknown'],
    ['the broker refused', [{ error: wrapped('MESSAGE_TOO_LARGE'), written: true, partitions: 1 }], 'refused'],
    ['the broker refused one of several partitions', [{ error: wrapped('MESSAGE_TOO_LARGE'), written: true, partitions: 2 }], 'unknown'],
    ['the followers did not answer in time', [{ error: wrapped('NOT_ENOUGH_REPLICAS_AFTER_APPEND'), written: true, partitions: 1 }], 'unknown'],
    [
      'an unknown attempt was followed by a refused one',
      [{ error: new Error('timed out'), written: true, partitions: 1 }, { error: new Error('ECONNREFUSED'), written: false, partitions: 1 }],
      'unknown',
    ],
  ])('when %s', (_name, attempts, outcome) => {
    expect(publishOutcome(attempts)).toMatchObject({ ok: false, outcome });
  });
});
