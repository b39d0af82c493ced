import { WorkBudget } from '@sluice/flow-engine';
import type { PolledSource, ReadEnd, Reading, ReadPage } from '../polled-source';
import { contentDigest } from '../shared/content-digest';
import { leaveOut, noneLeftOut, wordsOf } from '../shared/read-elements';
import { compileReadEvent } from '../shared/read-event';
import type { ScheduledConfig } from './scheduled-config';

/** Compiles the ticks of a schedule: each is one event, at the time that it was due. */
export function compileTick(config: ScheduledConfig, defaultEventType: string): PolledSource['read'] {
  const readEvent = compileReadEvent(config, defaultEventType);
  const payload = config.payload ?? {};
  const content = contentDigest(payload);
  return async function* tick({ tick }: Reading): AsyncGenerator<ReadPage, ReadEnd> {
    const { event, problems } = readEvent([payload], new WorkBudget());
    const leftOut = noneLeftOut();
    if (event === null) leaveOut(leftOut, wordsOf(problems[0]!));
    const at = tick.toISOString();
    const events = event === null ? [] : [{ ...event, timestamp: event.timestamp ?? at, payload, dedupe: at, content }];
    yield { events, leftOut };
    return {};
  };
}
