/** A number that the project wants to reach, and whether more or less of it is better. */
interface Goal {
  /** Its name in `figures` of a scenario. */
  figure: string;
  words: string;
  goal: number;
  better: 'more' | 'less';
}

/** What docs/performance.md sets as goals. A goal is no promise: a run that misses one does not fail. */
export const goals: readonly Goal[] = [
  { figure: 'accept: 50 senders', words: 'accepts/s with the index in the process, x bare express, 50 senders', goal: 2.5,
    better: 'more' },
  { figure: 'accept: 400 senders', words: 'the same, 400 senders', goal: 3, better: 'more' },
  { figure: 'e2e: x bare express', words: 'records/s end to end, entities, x bare express', goal: 1.9, better: 'more' },
  { figure: 'e2e-data: x bare express', words: 'records/s end to end, data in connector order, x bare express', goal: 1.5,
    better: 'more' },
  { figure: 'peers: entities', words: 'records/s end to end, entities, x Bento and Kafka with 50 senders', goal: 1,
    better: 'more' },
  { figure: 'peers: data', words: 'records/s end to end, data, x Bento and Kafka with 400 senders', goal: 1, better: 'more' },
  { figure: 'e2e: p95 at half load', words: 'p95 accept to CRM at half load, entities, ms', goal: 120, better: 'less' },
  { figure: 'e2e-data: p95 at half load', words: 'p95 accept to CRM at half load, data, ms', goal: 200, better: 'less' },
  { figure: 'e2e: calls per record', words: 'CRM calls per record, entities', goal: 0.0105, better: 'less' },
  { figure: 'e2e-data: calls per record', words: 'CRM calls per record, data', goal: 0.0105, better: 'less' },
  { figure: 'four runners: records/s lost', words: 'share of the records/s that four runners lose against one, on two cores',
    goal: 0.1, better: 'less' },
  { figure: 'kill: seconds until lanes go on', words: 'seconds until the lanes of a killed runner go on', goal: 6,
    better: 'less' },
  { figure: 'kill: records written again', words: 'records written again after the kill', goal: 50, better: 'less' },
];

/** A row for each goal whose figure was measured. */
export function goalRows(figures: Readonly<Record<string, number>>): Record<string, unknown>[] {
  return goals.flatMap(({ figure, words, goal, better }) => {
    const measured = figures[figure];
    if (measured === undefined) return [];
    const reached = better === 'more' ? measured >= goal : measured <= goal;
    return [{ goal: words, measured, wanted: `${better === 'more' ? '>=' : '<='} ${goal}`, reached: reached ? 'yes' : 'no' }];
  });
}
