import { isPrivateTarget } from '@sluice/public-address';
import { urlsOf } from '@sluice/sources';
import { problem, type Loc, type Problem } from '../document/problem';
import type { ValidParts } from '../document/valid-parts';

/** URLs that lead into the network the service runs in: of steps, of sources, of the ingress profile. */
export function* checkTargets({ config, steps, sources, isSound }: ValidParts): Generator<Problem> {
  for (const { step, loc } of steps) if (isSound(loc)) yield* privateTarget([...loc, 'url'], step.url);
  for (const { index, value } of sources) {
    const loc = ['sources', index, 'config'];
    if (!isSound(loc)) continue;
    for (const { path, value: url } of urlsOf(value)) yield* privateTarget([...loc, ...path], url);
  }
  const loc = ['ingress_profile', 'fallback', 'base_url'];
  if (isSound(['ingress_profile', 'fallback'])) yield* privateTarget(loc, config.ingress_profile?.fallback?.base_url);
}

function privateTarget(loc: Loc, url: unknown): Problem[] {
  if (typeof url !== 'string' || !isPrivateTarget(url)) return [];
  return [
    problem(
      'private_target',
      loc,
      `'${loc.at(-1)}' leads to a private or loopback address, which this installation does not call`,
      url,
    ),
  ];
}
