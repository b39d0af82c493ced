import { defineSettings, type SettingValues } from '@sluice/service-kit';

/** What a service that has events verified by another one reads of the environment. */
export const askVerifySettings = defineSettings({
  verifyWaitMs: {
    env: 'SLUICE_VERIFY_WAIT',
    type: 'seconds',
    min: 1,
    max: 120,
    default: '25',
    description: 'How long a verify waits for the service that compares the records with the CRM; then it is answered 503.',
  },
});

/** What a service that verifies events reads of the environment. */
export const verifySettings = defineSettings({
  verifyThreads: {
    env: 'SLUICE_VERIFY_THREADS',
    type: 'integer',
    min: 1,
    max: 64,
    default: '2',
    description: 'Threads in which verify runs the flows of events again. One organization uses one of them at a time.',
  },
  verifyTimeMs: {
    env: 'SLUICE_VERIFY_TIME',
    type: 'seconds',
    min: 0.1,
    default: '5',
    description: 'How long the flows of one event may compute in a verify; what is not verified by then is `not_verifiable`.',
  },
  verifyBudgetMs: {
    env: 'SLUICE_VERIFY_BUDGET',
    type: 'seconds',
    min: 1,
    default: '10',
    description:
      'Seconds of these threads that one organization may use per minute in each instance; beyond that 429. Multiplied by '
      + '`SLUICE_RATE_LIMIT_SCALE`.',
  },
});

/** @param scale SLUICE_RATE_LIMIT_SCALE; 0 turns the budget off */
export function verifyThreadsOf(settings: SettingValues<typeof verifySettings>, scale: number) {
  const { verifyThreads: threads, verifyTimeMs: timeLimitMs, verifyBudgetMs } = settings;
  return { threads, timeLimitMs, budgetMsPerMinute: scale === 0 ? null : verifyBudgetMs * scale };
}
