/** Properties and definitions that a portal lacks for a while. */
const refused = { project: 'unit', pattern: 'crm-writer/src/writing/refused-properties' };
const properties = 'packages/crm-writer/src/writing/refused-properties.ts';

export default [
  {
    name: 'lacking: a refused property is left out without asking the catalogue again',
    file: properties,
    find: 'if (contradicted && at >= versionSince) return code;',
    replace: 'if (contradicted || at >= versionSince) return code;',
    notice: refused,
  },
  {
    name: 'lacking: the catalogue of ten minutes ago decides',
    file: properties,
    find: 'Math.max(this.deps.monotonicNow() - believedMs, versionSince)',
    replace: 'this.deps.monotonicNow() - ttlMs',
    notice: refused,
  },
  {
    name: 'lacking: a new version does not ask the catalogue again',
    file: properties,
    find: 'Math.max(this.deps.monotonicNow() - believedMs, versionSince)',
    replace: 'this.deps.monotonicNow() - believedMs',
    notice: refused,
  },
  {
    name: 'lacking: a property that was just made is left out because of one refusal',
    file: properties,
    find: 'if (writable && !insistedOn.has(property)) insistedOn.add(property);',
    replace: 'if (writable && insistedOn.size < 0) insistedOn.add(property);',
    notice: refused,
  },
  {
    name: 'lacking: a property that the CRM refuses against its catalogue is sent for ever',
    file: properties,
    find: 'contradicted: writable });',
    replace: 'contradicted: false });',
    notice: refused,
  },
  {
    name: 'lacking: a refused property that exists again stays left out',
    file: properties,
    find: "  if (definition === null) return 'unknown_property';\n  return",
    replace: "  if (definition === null || !definition.readOnly) return 'unknown_property';\n  return",
    notice: { project: 'integration', pattern: 'writing/lacking-property' },
  },
  {
    name: 'lacking: the writer does not know the version of a unit',
    file: 'services/flow-runner/src/units/attempts/attempt-unit.ts',
    find: '    configVersion: version,\n    position',
    replace: '    position',
    notice: { project: 'integration', pattern: 'writing/lacking-property' },
  },
  {
    name: 'lacking: an answer of the CRM counts as new enough whenever it was read',
    file: 'packages/crm-writer/src/shared/ttl-cache.ts',
    find: 'if (hit && hit.loadedAt >= since) return hit.answer;',
    replace: 'if (hit && since !== Infinity) return hit.answer;',
    notice: { project: 'unit', pattern: 'crm-writer/src/shared/ttl-cache' },
  },
  {
    name: 'lacking: an association type that was created since is refused for ten minutes',
    file: 'packages/crm-writer/src/session/association-types.ts',
    find: 'return load(session, fromType, toType, monotonicNow() - lackingMs);',
    replace: 'return types;',
    notice: { project: 'unit', pattern: 'crm-writer/src/session/association-types' },
  },
];
