import type { PluginRunNote } from '@sluice/ports';
import { createRecordingLogger } from '@sluice/ports/testing';
import { PluginNotes } from './plugin-notes';

const noteOf = (lines: number, functionArn = 'arn:one'): PluginRunNote => ({
  functionArn, version: '1', connectorId: null, eventId: null, durationMs: 1, memoryMb: 1, outcome: 'ok',
  logs: Array.from({ length: lines }, (_, line) => ({ at: line, level: 'info', message: `line ${line}` })),
});

describe('what invocations of plugins leave', () => {
  let stored: PluginRunNote[];
  let logger: ReturnType<typeof createRecordingLogger>;
  beforeEach(() => {
    stored = [];
    logger = createRecordingLogger();
  });
  const open = (linesPerHour: number): PluginNotes => new PluginNotes({
    runs: { note: async (notes) => void stored.push(...notes) }, logger, linesPerHour, everyMs: 3_600_000,
  });

  it('is stored whole while the hour has lines left; then invocations are, without lines', async () => {
    const notes = open(5);
    for (const lines of [3, 3, 3]) notes.add(noteOf(lines));
    notes.add(noteOf(3, 'arn:other'));
    await notes.flush();
    expect(stored.map(({ functionArn, logs }) => [functionArn, logs.length])).toEqual([
      ['arn:one', 3], ['arn:one', 2], ['arn:one', 0], ['arn:other', 3],
    ]);
    expect(stored[1]!.logs.map(({ message }) => message)).toEqual(['line 0', 'line 1']);
    expect(logger.lines).toEqual([]);
  });

  it('is bounded while it waits, by invocations and by lines, and the log says what is missing', async () => {
    const notes = open(1_000_000);
    for (let at = 0; at < 4; at += 1) notes.add(noteOf(10_000));
    await notes.flush();
    expect(stored).toHaveLength(3);
    for (let at = 0; at < 10_001; at += 1) notes.add(noteOf(0));
    await notes.flush();
    expect(stored).toHaveLength(10_003);
    expect(JSON.stringify(logger.lines)).toMatch(/missing in logs and metrics.*"dropped":1.*"dropped":1/);
  });
});
