import type { EventResult } from '@sluice/plugin-kit';

/** Results of a test as text: an event on a line, with what is wrong and what was logged below it. */
export function tellResults(name: string, results: readonly EventResult[]): string {
  const failed = results.filter(({ problems }) => problems.length > 0).length;
  const conclusion = results.length === 0 ? `${name} was loaded. It has no recorded events.`
    : failed === 0 ? `All ${results.length} events of ${name} gave what was expected.`
      : `${failed} of ${results.length} events of ${name} did not give what was expected.`;
  return [...results.map(told), conclusion].join('\n');
}

const told = ({ file, problems, logs, durationMs }: EventResult): string => [
  `  ${problems.length === 0 ? '✓' : '✗'} ${file}  ${durationMs.toFixed(1)} ms`,
  ...problems.map((problem) => `      ${problem}`),
  ...logs.map(({ level, message }) => `      ${level}: ${message}`),
].join('\n');
