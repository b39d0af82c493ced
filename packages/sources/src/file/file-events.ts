import { ExpressionLimitError, WorkBudget } from '@sluice/flow-engine';
import type { SourceEvent } from '../source-event';
import { wordsOf } from '../shared/read-elements';
import { compileReadEvent, sourceEvent } from '../shared/read-event';
import type { FileRow } from './file-row';
import type { FileConfig } from './file.source';

/** An event of a row, or why the row is none. */
export type FileEvent = { line: number; event: SourceEvent } | { line: number; problem: string };

/** Compiles how the rows of a file source become events. @param dedupe names a row by its place, the same in each reading */
export function compileFileEvents(
  { name, config }: { name: string; config: FileConfig },
): (row: FileRow, dedupe: string) => FileEvent {
  const readEvent = compileReadEvent(config, `${name}.row`);
  return (row, dedupe) => {
    if ('problem' in row) return row;
    const { line, value: payload } = row;
    try {
      const { event, problems } = readEvent([payload], new WorkBudget());
      return event === null ? { line, problem: wordsOf(problems[0]!) } : { line, event: sourceEvent(event, payload, dedupe) };
    } catch (error) {
      if (!(error instanceof ExpressionLimitError)) throw error;
      return { line, problem: `reading it takes too much work: ${error.message}` };
    }
  };
}
