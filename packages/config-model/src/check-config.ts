import { compileReference } from '@sluice/flow-engine';
import { checkEntities, expression } from './check-entities';
import { checkFlows } from './check-flows';
import { checkNames } from './check-names';
import { checkPublishable, type PublishLookups } from './check-publishable';
import { checkSources } from './check-sources';
import { checkStructure } from './check-structure';
import { problem, type Problem } from './problem';
import { soundParts } from './sound-parts';

/** 1 MiB (decisions 1). */
export const configLimitBytes = 1_048_576;

/** More than anybody reads; bounds the answer to a hostile document. */
const problemLimit = 500;

export interface CheckOptions {
  /** save: what the document alone decides; publish: also what needs names outside the step. */
  moment: 'save' | 'publish';
  lookups?: PublishLookups;
}

/** Every problem of a config document, all at once; none means it may be saved or published (decisions 5, Moments). */
export function checkConfig(config: unknown, options: CheckOptions): Problem[] {
  const bytes = Buffer.byteLength(JSON.stringify(config) ?? '');
  if (bytes > configLimitBytes)
    return [problem('config_too_large', [], `the config has ${bytes} bytes, more than ${configLimitBytes}`)];
  const structural = checkStructure(config);
  const parts = soundParts(config, structural);
  const further = [
    ...checkNames(parts),
    ...checkEntities(parts),
    ...checkFlows(parts),
    ...checkSources(parts),
    ...checkConflicts(parts.config.conflicts, structural),
    ...(options.moment === 'publish' ? checkPublishable(parts, options.lookups ?? {}) : []),
  ];
  return [...structural, ...further].slice(0, problemLimit);
}

function checkConflicts(
  conflicts: { source_modified_path?: string; entities?: Record<string, { source_modified_path?: string }> } | undefined,
  structural: readonly Problem[],
): Problem[] {
  if (!conflicts || structural.some(({ loc }) => loc[1] === 'conflicts')) return [];
  const policies = Object.entries(conflicts.entities ?? {}).map(([name, policy]) => ({
    loc: ['conflicts', 'entities', name],
    policy,
  }));
  return [{ loc: ['conflicts'], policy: conflicts }, ...policies].flatMap(({ loc, policy }) =>
    expression([...loc, 'source_modified_path'], policy.source_modified_path, compileReference),
  );
}
