import type { Findings } from './findings';

/** What was done with one trouble. */
export interface TroubleTimes {
  times: number;
  /** From its beginning until everything was ready again, all times together. */
  seconds: number;
  /** Requests accepted meanwhile. */
  accepted: number;
}

export interface ChaosReport {
  troubles: ReadonlyMap<string, TroubleTimes>;
  findings: Findings;
}

/** Examples of each kind that are printed. */
const examples = 5;

/** Whether everything that was accepted is in the CRM, once and in order. */
export const holds = ({ accepted, settled, lost, duplicates, outOfOrder }: Findings): boolean =>
  accepted > 0 && accepted === settled && lost.length + duplicates.length + outOfOrder.length === 0;

/** The tables at the end of a run, and examples of what is wrong. */
export function reportText({ troubles, findings }: ChaosReport): string {
  const { accepted, settled, otherEnds, lost, duplicates, outOfOrder, records, writtenAgain } = findings;
  const others = Object.entries(otherEnds).map(([end, count]) => `${count} ${end}`);
  return [
    ...table([
      ['trouble', 'times', 'seconds', 'accepted meanwhile'],
      ...[...troubles].map(([name, one]) => [name, String(one.times), one.seconds.toFixed(1), String(one.accepted)]),
    ]),
    '',
    ...table([
      ['accepted events', String(accepted)],
      ['settled', [String(settled), ...others].join(', ')],
      ['lost records', String(lost.length)],
      ['duplicate records', String(duplicates.length)],
      ['records out of order', String(outOfOrder.length)],
      ['records in the CRM', String(records)],
      ['writes done again', String(writtenAgain)],
    ]),
    ...exampleLines('lost', lost),
    ...exampleLines('duplicate', duplicates),
    ...exampleLines('out of order', outOfOrder),
    '',
    holds(findings) ? 'Everything that was accepted is in the CRM, once and in order.' : 'NOT everything that was accepted is in the CRM, once and in order.',
    '',
  ].join('\n');
}

const exampleLines = (kind: string, all: readonly string[]): string[] => all.slice(0, examples).map((one) => `${kind}: ${one}`);

function table(rows: readonly string[][]): string[] {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows.map((row) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!))).join('   ').trimEnd());
}
