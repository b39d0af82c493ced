/** A real server cannot be had on this machine (no Java, no download). Suites that need it are skipped, loudly. */
export class ServerUnavailable extends Error {
  constructor(
    readonly server: 'Kafka' | 'Redis' | 'Postgres' | 'S3',
    readonly reason: string,
  ) {
    super(`${server} cannot be had here: ${reason}`);
    this.name = 'ServerUnavailable';
  }
}
