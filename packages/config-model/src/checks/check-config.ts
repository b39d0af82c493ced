import { compileReference } from '@sluice/flow-engine';
import { checkEntities, expression } from './check-entities';
import { checkFlows } from './check-flows';
import { checkLocations } from './check-locations';
import { checkNames } from './check-names';
import { checkPublishable, type PublishLookups } from './check-publishable';
import { checkReservedKeys } from './check-reserved-keys';
import { checkSources } from './check-sources';
import { checkStepSecrets } from './check-step-secrets';
import { checkStructure } from './check-structure';
import { checkTargets } from './check-targets';
import { configLimits } from '../document/config-limits';
import { checkIngressProfile } from './check-ingress-profile';
import { problem, type Problem } from '../document/problem';
import { validParts, type ValidParts } from '../document/valid-parts';

/** Bounds of the work on a hostile document and of the answer to it. */
const problemLimit = 500;
const answerLimitBytes = 262_144;

export interface CheckOptions {
  /** save: checks of the document only; publish: also checks that need names outside the step. */
  moment: 'save' | 'publish';
  lookups?: PublishLookups;
  /**
   * Folder below which file sources of the organization may watch, absolute; null: the installation watches no folders. Default:
   * where they look is not checked.
   */
  watchedFolder?: string | null;
  /** Bucket of the installation itself, which no file source may watch. Default: it has none. */
  ownBucket?: string | null;
  /** Whether URLs may lead to private and loopback addresses. Default: allowed. */
  privateTargets?: 'allowed' | 'refused';
}

/**
 * Every problem of a config document, all at once; none means it may be saved or published. The work grows with the document and
 * ends with the first 500 problems, or 256 KiB of them: then there may be more.
 */
export function checkConfig(config: unknown, options: CheckOptions): Problem[] {
  const bytes = Buffer.byteLength(JSON.stringify(config) ?? '');
  if (bytes > configLimits.bytes)
    return [problem('config_too_large', [], `the config has ${bytes} bytes, more than ${configLimits.bytes}`)];
  const problems: Problem[] = [];
  let size = 0;
  for (const one of problemsOf(config, options)) {
    problems.push(one);
    size += JSON.stringify(one).length;
    if (problems.length === problemLimit || size > answerLimitBytes) break;
  }
  return problems;
}

function* problemsOf(config: unknown, options: CheckOptions): Generator<Problem> {
  const { moment, lookups = {}, ownBucket = null, privateTargets, watchedFolder } = options;
  yield* checkReservedKeys(config);
  const structure = checkStructure(config, problemLimit);
  yield* structure.problems;
  // The structure check ended early: no further check may rely on it.
  if (structure.full) return;
  const parts = validParts(config, structure.places);
  if (parts.steps.length > configLimits.steps) {
    yield problem(
      'value_error',
      ['flows'],
      `the flows have ${parts.steps.length} steps together, more than ${configLimits.steps}`,
    );
    return;
  }
  yield* checkNames(parts);
  yield* checkEntities(parts);
  yield* checkFlows(parts);
  yield* checkSources(parts);
  yield* checkStepSecrets(parts);
  if (watchedFolder !== undefined) yield* checkLocations(parts, { folder: watchedFolder, ownBucket });
  yield* checkIngressProfile(parts);
  if (privateTargets === 'refused') yield* checkTargets(parts);
  yield* checkConflicts(parts);
  if (moment === 'publish') yield* checkPublishable(parts, lookups);
}

function checkConflicts({ config: { conflicts }, isSound }: ValidParts): Problem[] {
  if (!conflicts || !isSound(['conflicts'])) return [];
  const policies = Object.entries(conflicts.entities ?? {}).map(([name, policy]) => ({
    loc: ['conflicts', 'entities', name],
    policy,
  }));
  return [{ loc: ['conflicts'], policy: conflicts }, ...policies].flatMap(({ loc, policy }) =>
    expression([...loc, 'source_modified_path'], policy.source_modified_path, compileReference),
  );
}
