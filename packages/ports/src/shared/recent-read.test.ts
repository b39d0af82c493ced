import { monotonicClock } from '../clock';
import { changesKeptMs, RecentRead } from './recent-read';
import { StoreUnavailable } from './store-unavailable';

/** A store whose reads end when the test says so; `at` is the time. */
function lab() {
  const state = { at: 0 };
  const reads: { end(value: string): void; fail(error: Error): void }[] = [];
  const value = new RecentRead<string>({
    read: () => new Promise((end, fail) => { reads.push({ end, fail }); }),
    monotonicNow: monotonicClock(() => state.at),
  });
  /** Reads the value, whose read ends at once with an answer. */
  const readAs = async (answer: string): Promise<string> => {
    const asked = value.get();
    reads.at(-1)!.end(answer);
    return asked;
  };
  return { state, reads, value, readAs };
}

describe('a value that was read a short time ago', () => {
  it('is believed for a second from the moment at which its read began', async () => {
    const { state, reads, value } = lab();
    const asked = value.get();
    state.at = 600;
    reads[0]!.end('old');
    expect(await asked).toBe('old');
    state.at = changesKeptMs - 1;
    expect(await value.get()).toBe('old');
    expect(reads).toHaveLength(1);
    state.at = changesKeptMs;
    const again = value.get();
    reads[1]!.end('new');
    expect(await again).toBe('new');
  });

  it('is read once for all who ask at the same time, but not by a read that began too long ago', async () => {
    const { state, reads, value } = lab();
    const asked = [value.get(), value.get(), value.again()];
    expect(reads).toHaveLength(1);
    state.at = changesKeptMs;
    const later = value.get();
    expect(reads).toHaveLength(2);
    reads[1]!.end('new');
    expect(await later).toBe('new');
    reads[0]!.end('old');
    expect(await Promise.all(asked)).toEqual(['old', 'old', 'old']);
    expect(await value.get()).toBe('new');
  });

  it('is read again on request, also after a read that failed', async () => {
    const { reads, value, readAs } = lab();
    await readAs('old');
    const again = value.again();
    reads[1]!.fail(new Error('no'));
    await expect(again).rejects.toThrow('no');
    expect(await value.get()).toBe('old');
    const third = value.again();
    reads[2]!.end('new');
    expect(await third).toBe('new');
    expect(await value.get()).toBe('new');
  });

  it('is used for half a minute while the store is away, and not on request', async () => {
    const { state, reads, value, readAs } = lab();
    const away = async (ask: Promise<string>): Promise<string> => {
      reads.at(-1)!.fail(new StoreUnavailable('down'));
      return ask;
    };
    await expect(away(value.get())).rejects.toThrow('down');
    await readAs('old');
    state.at = 29_999;
    expect(await away(value.get())).toBe('old');
    await expect(away(value.again())).rejects.toThrow('down');
    state.at = 30_000;
    await expect(away(value.get())).rejects.toThrow('down');
  });

  it('is not used when its read fails for another reason', async () => {
    const { state, reads, value, readAs } = lab();
    await readAs('old');
    state.at = changesKeptMs;
    const asked = value.get();
    reads[1]!.fail(new Error('it cannot be decrypted'));
    await expect(asked).rejects.toThrow('decrypted');
  });

  it('can be given, and an older one does not replace it', async () => {
    const { state, reads, value } = lab();
    const asked = value.get();
    state.at = 10;
    value.put('refreshed', 10);
    reads[0]!.end('old');
    await asked;
    expect(await value.get()).toBe('refreshed');
    value.put('older', 9);
    expect(await value.get()).toBe('refreshed');
  });
});
