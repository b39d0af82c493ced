import { CronExpressionParser } from 'cron-parser';

/**
 * The first time of a cron expression after another time. Over a change to daylight saving time a run of a skipped hour happens
 * right after it, and one of an hour that comes twice happens once.
 * @param zone an IANA time zone, such as `Europe/Berlin`
 * @throws Error for an expression or a zone that is none
 */
export function nextCronTime(expression: string, zone: string, after: Date): Date {
  return CronExpressionParser.parse(expression, { tz: zone, currentDate: after }).next().toDate();
}
