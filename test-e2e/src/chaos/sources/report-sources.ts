import type { SourceKillsFindings } from './run-source-kills';

/** Examples of each kind that are printed. */
const examples = 5;

/** Whether each change and each element has its one record, and nothing else is there. */
export const sourcesHold = ({ duplicates, missed, others }: SourceKillsFindings): boolean =>
  duplicates.length + missed.length + others.length === 0;

/** The table at the end of a run, and examples of what is wrong. */
export function sourcesText(findings: SourceKillsFindings): string {
  const { changes, duplicates, items, kills, missed, others, polls, writtenAgain } = findings;
  const rows: [string, number][] = [
    ['kills of journal-poller', kills], ['changes of the journal', changes], ['polls', polls], ['polled elements', items],
    ['missed', missed.length], ['second records', duplicates.length], ['other records', others.length],
    ['writes done again', writtenAgain],
  ];
  const kinds = [['missed', missed], ['a second record', duplicates], ['nothing asked for', others]] as const;
  return [
    ...rows.map(([name, count]) => `${name.padEnd(25)}${String(count).padStart(7)}`),
    ...kinds.flatMap(([kind, all]) => all.slice(0, examples).map((one) => `${kind}: ${one}`)),
    '',
    `${sourcesHold(findings) ? 'Every' : 'NOT every'} change and polled element has its one record in the CRM.`,
    '',
  ].join('\n');
}
