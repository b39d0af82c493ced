/** When a source is read by itself; null: with every tick of the worker. */
export function scheduleOf(
  { schedule = '', timezone = 'UTC' }: { schedule?: string; timezone?: string },
): { cron: string; zone: string } | null {
  const cron = schedule.trim();
  return cron === '' ? null : { cron, zone: timezone };
}
