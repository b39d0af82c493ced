/** A real server is not available on this machine (no Java, no download). Suites that need it are skipped with a message. */
export class ServerUnavailable extends Error {
  constructor(
    readonly server: 'Kafka' | 'Redis' | 'Postgres' | 'AWS stand-in',
    readonly reason: string,
  ) {
    super(`${server} is not available here: ${reason}`);
    this.name = 'ServerUnavailable';
  }
}
