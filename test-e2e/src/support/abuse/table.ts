import type { AttackReport } from './attackers';
import type { Phase } from './good-tenant';

interface Row {
  name: string;
  report: AttackReport;
  ms: number;
  /** The good tenant's accepts meanwhile. */
  good: Phase;
}

/** The figures of one run, as the table of docs/security.md. */
export function createTable() {
  const rows: Row[] = [];
  let peaks: Record<string, number> = {};
  let whole: { attacked: Phase; idle: Phase } | null = null;
  return {
    add: (row: Row): void => void rows.push(row),
    whole: (phases: { attacked: Phase; idle: Phase }): void => void (whole = phases),
    memory: (megabytes: Record<string, number>): void => void (peaks = megabytes),
    text: (): string =>
      [
        '',
        `Good tenant, p50 / p99: idle ${figures(whole?.idle)}, under attack ${figures(whole?.attacked)}.`,
        `Largest memory: ${Object.entries(peaks)
          .map(([name, mb]) => `${name} ${mb} MiB`)
          .join(', ')}.`,
        '',
        '| Attack | Requests | Answers | Slowest answer | Took | Good tenant p50 / p99 |',
        '|---|---|---|---|---|---|',
        ...rows.map(({ name, report, ms: took, good }) =>
          [
            '',
            name,
            report.requests,
            answers(report),
            ms(report.slowestMs),
            `${(took / 1_000).toFixed(1)} s`,
            `${ms(good.p50)} / ${ms(good.p99)}`,
            '',
          ]
            .join(' | ')
            .trim(),
        ),
        '',
        '',
      ].join('\n'),
  };
}

const ms = (time: number | undefined): string => `${Math.round(time ?? 0)} ms`;
const figures = (phase: Phase | undefined): string => `${ms(phase?.p50)} / ${ms(phase?.p99)}`;
const answers = ({ statuses }: AttackReport): string =>
  [...statuses]
    .sort(([one], [other]) => one - other)
    .map(([status, count]) => `${count} x ${status}`)
    .join(', ') || 'none';
