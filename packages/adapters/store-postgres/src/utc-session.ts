/**
 * Connection URL whose sessions have the time zone UTC, whatever the server, the database, the role or the URL's own
 * options say. Prisma's driver writes times without a zone and reads them as UTC, and a day in SQL is a day of the
 * session, so another zone shifts every stored time.
 * @throws TypeError when the URL cannot be parsed
 */
export function utcSession(url: string): string {
  const made = new URL(url);
  const given = made.searchParams.get('options') ?? process.env['PGOPTIONS'];
  // The server takes the last of equal settings.
  made.searchParams.set('options', [...(given ? [given] : []), '-c TimeZone=UTC'].join(' '));
  return made.href;
}
