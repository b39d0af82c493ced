import type { ConfigDocument } from '@sluice/contracts';
import { looksRandom } from '@sluice/sources';
import { finding, type Finding } from './finding';

/** Headers of sources and steps whose value looks like a key: it is not encrypted, and everybody who reads the config sees it. */
export function randomHeaderFindings({ sources, flows }: ConfigDocument): Finding[] {
  const ofSources = sources.flatMap(({ name, config }, index) =>
    randomHeaders(config?.default_headers).map((header) =>
      warning(header, `sources.${index}.config.default_headers.${header}`, `the source '${name}'`)));
  const ofSteps = flows.flatMap(({ name, steps }, flowIndex) =>
    steps.flatMap(({ id, headers }, stepIndex) =>
      randomHeaders(headers).map((header) => ({
        ...warning(header, `flows.${flowIndex}.steps.${stepIndex}.headers.${header}`, `the step '${id}'`), event_flow: name,
      }))));
  return [...ofSources, ...ofSteps];
}

function randomHeaders(headers: unknown): string[] {
  if (typeof headers !== 'object' || headers === null) return [];
  const isRandom = (value: unknown): boolean => typeof value === 'string' && !value.startsWith('$') && looksRandom(value);
  return Object.entries(headers).flatMap(([name, value]) => (isRandom(value) ? [name] : []));
}

const warning = (header: string, field: string, place: string): Finding =>
  finding({
    severity: 'warning',
    code: 'header_looks_secret',
    field,
    message: `the header '${header}' of ${place} has a value that looks like a key or a token`,
    suggestion: 'Store it as a credential of type api_key, and name it in secret_headers of the source.',
  });
