/** The metrics that the code creates, and those that queries name. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { workspacePackages } from '../../lib/workspace.mjs';

/** Names of all metrics that the code creates, without prefix. @returns {Set<string>} */
export function metricNames() {
  const files = workspacePackages().flatMap(({ dir }) => readdirSync(join(dir, 'src'), { recursive: true }).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts')).map((file) => join(dir, 'src', file)));
  return new Set(files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/\bname: '([a-z0-9_]+)',\s+help: /g)].map(([, name]) => name)));
}

/** Of the runtime (prom-client's default metrics) and of Prometheus itself, as far as queries use them. */
const ofOthers = new Set(['up', 'nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes', 'process_cpu_seconds_total']);

/** What a query names and nothing makes. @param {string} query PromQL @param {Set<string>} known of `metricNames` */
export function unknownMetrics(query, known) {
  // Names of metrics are what stands before a selector, a range or an operand; labels stand in braces and after `by`.
  const bare = query.replaceAll(/"[^"]*"/g, '').replaceAll(/\{[^}]*\}/g, '').replaceAll(/\bby \([^)]*\)/g, '').replaceAll(/\[[^\]]*\]/g, '');
  const names = [...bare.matchAll(/\b([a-z_][a-z0-9_]*)\b(?!\s*\()/g)].map(([, name]) => name).filter((name) => !['and', 'or', 'unless', 'by'].includes(name));
  return names.filter((name) => !ofOthers.has(name) && !(name.startsWith('sluice_') && known.has(name.slice('sluice_'.length).replace(/_(bucket|count|sum)$/, ''))));
}
