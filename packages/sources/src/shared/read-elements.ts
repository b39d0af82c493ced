import type { ValidationEntry } from '@sluice/contracts';
import { defaultExpressionLimits, ExpressionLimitError, WorkBudget } from '@sluice/flow-engine';
import { type LeftOut, type PolledEvent, type ReadPage, SourceReadError } from '../polled-source';
import { contentDigest } from './content-digest';
import type { ReadEvent } from './read-event';

/** Elements that are read in one turn of the event loop, and become one page. */
const perPage = 200;
/** Steps of work of the paths of one element, and of all elements of an answer. */
const [ofElement, ofAnswer] = [10_000, 20_000_000];
/** Reasons that are kept of elements that are no events. */
const maxReasons = 5;

/** The first reasons of elements that are no events, with their number. */
export function leaveOut(leftOut: LeftOut, reason: string): void {
  leftOut.count += 1;
  if (leftOut.reasons.length < maxReasons) leftOut.reasons.push(reason);
}

export const noneLeftOut = (): LeftOut => ({ count: 0, reasons: [] });

/**
 * The events of elements, in pages.
 * @param name what names an element among all of its reading, the same in each repetition of the reading
 * @throws SourceReadError when reading takes too much work
 */
export function* readElements(
  elements: readonly unknown[], readEvent: ReadEvent, name: (content: string) => string,
): Generator<ReadPage> {
  const budget = new WorkBudget({ ...defaultExpressionLimits, steps: Math.min(ofAnswer, ofElement * (elements.length + 10)) });
  for (let from = 0; from < elements.length; from += perPage) {
    const events: PolledEvent[] = [];
    const leftOut = noneLeftOut();
    for (const element of elements.slice(from, from + perPage)) {
      const { event, problems } = readOne(element, readEvent, budget);
      if (event === null) leaveOut(leftOut, wordsOf(problems[0]!));
      else {
        const content = contentDigest(element);
        events.push({ ...event, payload: element, dedupe: name(content), content });
      }
    }
    yield { events, leftOut };
  }
}

function readOne(element: unknown, readEvent: ReadEvent, budget: WorkBudget): ReturnType<ReadEvent> {
  try {
    return readEvent([element], budget);
  } catch (error) {
    if (!(error instanceof ExpressionLimitError)) throw error;
    throw new SourceReadError(`reading the elements takes too much work: ${error.message}`);
  }
}

/** For example `event_type: Field required at $.kind`. */
export const wordsOf = ({ loc, msg }: ValidationEntry): string => `${loc.slice(1).join('.')}: ${msg}`;

/** Names elements by their content; the second of the same content is another event than the first. */
export function namesOf(tick: Date): (content: string) => string {
  const seen = new Map<string, number>();
  return (content) => {
    const before = seen.get(content) ?? 0;
    seen.set(content, before + 1);
    return JSON.stringify(before === 0 ? [tick.toISOString(), content] : [tick.toISOString(), content, before]);
  };
}
