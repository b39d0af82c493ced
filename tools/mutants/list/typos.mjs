/** Ways to overlook a name in a config that means nothing. */
const findings = 'packages/config-model/src/findings';
const notice = { project: 'unit', pattern: 'config-model/src/findings/typo-findings' };
const broken = (name, file, find, replace) => ({ name: `typos: ${name}`, file: `${findings}/${file}.ts`, find, replace, notice });

export default [
  broken('a reference to a step that is not there is no finding', 'step-reference-findings', 'if (found === undefined)', 'if (found === null)'),
  broken('a step may read itself', 'step-reference-findings', 'if (found >= position)', 'if (found > position)'),
  broken('a step may read later ones', 'step-reference-findings', 'if (found >= position)', 'if (found === position)'),
  broken('found may ask every action', 'step-reference-findings', 'if (!isFound || finders', 'if (isFound || finders'),
  broken('conditions are not looked at', 'step-reads', '    ...conditions.map', '    ...conditions.slice(0, 0).map'),
  broken('each place that names a step is a finding', 'step-reference-findings', 'return !seen.has(key) && seen.add(key);', 'return seen.add(key);'),
  broken('a mapping may read a step that comes after all that use its entity', 'mapping-reference-findings', 'steps.slice(0, position)', 'steps'),
  broken('a draft of an earlier release cannot be read', 'compiled', 'if (error instanceof ExpressionError) return null;', ''),
  broken('an identity without a mapping is no finding', 'entity-findings', 'if (mappingsOf(crm).some(({ target }) => target === property)) return [];', 'if (mappingsOf(crm).length > 0) return [];'),
  broken('an entity that is only looked up needs its identity mapped', 'entity-findings', '(needsValue ? ', '(entity ? '),
  broken('bulk writes need no identity', 'entity-findings', "'upsert_many', ", ''),
  broken('a guard counts the names that a template may give as wrong', 'entity-findings', '({ target_template: template }) => template !== undefined', '({ target_template: template }) => template === null'),
  broken('a policy of an unknown entity is no finding', 'conflict-findings', '(name) => !names.includes(name)', '(name) => names.includes(name)'),
  broken('ends of associations need no object type', 'missing-schema-findings', "(path[0] === 'entity' && step.object_type !== undefined)", "path[0] !== 'entity'"),
  broken('a post with a body needs a schema', 'missing-schema-findings', ' || body !== undefined', ''),
  broken('a destination starts a flow', 'flow-start-findings', '...(source ? neverStarted', "...(source && source.type !== 'rest' ? neverStarted"),
  broken('a hint that is no path is no finding', 'flow-start-findings', "typeof hint !== 'string' || ", "typeof hint === 'string' || "),
  { name: 'typos: a flow of the journal may name a type by its name', file: 'packages/sources/src/emitted-types.ts', find: 'if (id === undefined) return false;', replace: 'if (id === undefined) return true;', notice },
  { name: 'typos: triggers do not limit what starts a flow', file: 'packages/sources/src/emitted-types.ts', find: 'return triggers.length === 0 || triggers.some(takes);', replace: 'return true;', notice },
  { name: 'typos: a wildcard is no type that a source gives', file: 'packages/sources/src/emitted-types.ts', find: 'type.startsWith(flowType.slice(0, -1))', replace: 'type === flowType', notice },
];
