/** Where a broker listens. */
export interface BrokerAddress {
  host: string;
  port: number;
}

/** Reads `host:port`. */
export function parseAddress(text: string): BrokerAddress {
  const colon = text.lastIndexOf(':');
  return { host: text.slice(0, colon), port: Number(text.slice(colon + 1)) };
}

/** The text that `parseAddress` reads. */
export function nameOf({ host, port }: BrokerAddress): string {
  return `${host}:${port}`;
}
