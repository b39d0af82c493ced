const runner = 'services/flow-runner/src';
const unit = (pattern) => ({ project: 'unit', pattern });

/** The way of an event: its scope, its plan, its end. */
export default [
  {
    name: 'way: the name of a lane is cut at its first bar', file: 'packages/ports/src/run-store/scope-id.ts',
    find: '(?<lane>.*)\\|(?<flowName>[^|]*)$', replace: '(?<lane>[^|]*)\\|(?<flowName>.*)$', notice: unit('ports/src/run-store/scope-id'),
  },
  {
    name: 'way: scopes of one lane and different flows are the same', file: 'packages/ports/src/run-store/scope-id.ts',
    find: "other.kind === 'flow' && one.lane === other.lane && one.flowName === other.flowName",
    replace: "other.kind === 'flow' && one.lane === other.lane", notice: unit('ports/src/run-store/scope-id'),
  },
  {
    name: 'way: a planned event is matched again', file: `${runner}/units/plan-unit.ts`,
    find: 'if (!plan) return config.match', replace: 'if (plan !== undefined) return config.match',
    notice: unit('flow-runner/src/units/plan-unit'),
  },
  {
    name: 'way: an event joins the scope of a disabled flow', file: `${runner}/units/unit.ts`,
    find: "(plan?.match === 'flow' ? plan.flowName : null)", replace: '(plan?.flowName ?? null)',
    notice: unit('flow-runner/src/units/plan-unit'),
  },
  {
    name: 'way: an end without a run does not wait for late writes', file: `${runner}/units/verdicts/judge-attempt.ts`,
    find: 'return untilLanded(unit, verdictOfEnd(unit, end, policy, now), flowNameOfEnd(unit, end), now);',
    replace: 'return verdictOfEnd(unit, end, policy, now);', notice: unit('flow-runner/src/processing/unit-processor'),
  },
  {
    name: 'way: a unit that lost its partition is sent with its batch', file: 'packages/crm-writer/src/calls/call-context.ts',
    find: 'asks.every((ask) => ask.unit.owned())', replace: 'asks.some((ask) => ask.unit.owned())', notice: unit('crm-writer/src'),
  },
  {
    name: 'way: a unit that lost its partition stops the call of its batch', file: 'packages/crm-writer/src/calls/call-family.ts',
    find: 'if (again.length === 0 || again.length === asks.length) return answers;', replace: 'if (again.length >= 0) return answers;',
    notice: unit('crm-writer/src'),
  },
  {
    name: 'way: an attempt builds again what its plan has built', file: `${runner}/units/plan-unit.ts`,
    find: '? built.values : new BuiltValues()', replace: '? new BuiltValues() : new BuiltValues()', notice: unit('units/plan-unit'),
  },
  {
    name: 'way: a value that was built for another store is reused', file: `${runner}/units/plan-unit.ts`,
    find: 'built && built.storeId === storeOf(envelope, connector) ?', replace: 'built ?', notice: unit('units/plan-unit'),
  },
  {
    name: 'way: a value that was built before costs nothing', file: 'packages/flow-engine/src/built-values.ts',
    find: 'budget.charge(found.cost);', replace: '', notice: unit('flow-engine/src/built-values'),
  },
  {
    name: 'way: an event runs with a connector that is older than its own', file: 'packages/connector-feed/src/connector-directory.ts',
    find: 'change && change.revision >= revision ? change : undefined', replace: 'change',
    notice: unit('connector-feed/src/connector-directory'),
  },
  {
    name: 'way: a plan that throws in memory blocks its partition', file: 'services/flow-runner/src/planning/load-plan.ts',
    find: '  } catch (error) {\n    return unplannable(deps, unit, error);', replace: '  } catch (error) {\n    throw error;',
    notice: unit('flow-runner/src/planning/load-plan'),
  },
  {
    name: 'way: partitions of two topics with one number are mixed up', file: 'services/flow-runner/src/partitions/by-partition.ts',
    find: 'return this.topics.get(topic)?.get(partition);', replace: 'return [...this.topics.values()].at(-1)?.get(partition);',
    notice: unit('partitions/by-partition'),
  },
  {
    name: 'way: a lost partition does not cancel its attempts', file: `${runner}/units/attempts/attempt-unit.ts`,
    find: 'return !this.deps.owns(this.unit);', replace: 'return false;',
    notice: unit('processing/lost-partition'),
  },
  {
    name: 'way: a replay keeps its position against an event of the same moment', file: 'packages/ports/src/run-store/accept-position.ts',
    find: 'isLaterPosition(other, kept) || isExacter(other, kept)', replace: 'isLaterPosition(other, kept)', notice: unit('ports/src/run-store/accept-position'),
  },
];
