import { textOf } from '@sluice/flow-engine';

/** The headers of a step as texts; one whose reference resolves to nothing is left out. */
export function stepHeaders(headers: Readonly<Record<string, unknown>> | undefined): Record<string, string> {
  const given = Object.entries(headers ?? {}).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(given.map(([name, value]) => [name, textOf(value)]));
}
