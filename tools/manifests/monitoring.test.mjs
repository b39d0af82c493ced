import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { root } from '../lib/workspace.mjs';
import { knownSettings } from './lib/known-settings.mjs';
import { metricNames, unknownMetrics } from './lib/metrics.mjs';
import { readYaml } from './lib/yaml.mjs';

const folder = join(root, 'infra', 'monitoring');
const [rules] = readYaml(join(folder, 'alerts.yaml'));
const [tests] = readYaml(join(folder, 'alerts.test.yaml'));
const dashboard = JSON.parse(readFileSync(join(folder, 'dashboard.json'), 'utf8'));
const runbook = readFileSync(join(root, 'docs', 'runbook.md'), 'utf8');
const alerts = rules.groups.flatMap((group) => group.rules);
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const known = metricNames();

describe('queries', () => {
  it('of alerts name metrics that exist', () => {
    assert.ok(alerts.length > 15);
    for (const { alert, expr } of alerts) assert.deepEqual(unknownMetrics(expr, known), [], alert);
  });

  it('of the dashboard name metrics that exist', () => {
    assert.ok(panels.length > 15);
    for (const { title, targets } of panels) for (const { expr } of targets) assert.deepEqual(unknownMetrics(expr, known), [], title);
  });

  it('that name another metric are found', () => {
    assert.deepEqual(unknownMetrics('sum by (status) (rate(sluice_recrod_outcomes_total{status="x"}[5m])) > 0', known), ['sluice_recrod_outcomes_total']);
    assert.deepEqual(unknownMetrics('max(node_load1)', known), ['node_load1']);
  });
});

describe('the dashboard', () => {
  it('has panels that do not overlap, each with its id', () => {
    assert.equal(new Set(dashboard.panels.map(({ id }) => id)).size, dashboard.panels.length);
    const cells = dashboard.panels.flatMap(({ gridPos: { x, y, w, h } }) => Array.from({ length: w * h }, (_, index) => `${x + (index % w)},${y + Math.floor(index / w)}`));
    assert.equal(new Set(cells).size, cells.length);
  });
});

describe('the runbook', () => {
  it('has a section for every alert, which says what to look at, the cause and what to do', () => {
    for (const { alert, annotations, labels } of alerts) {
      const section = runbook.split(/^##+ /m).find((text) => text.startsWith(`${alert}\n`));
      assert.ok(section, `${alert} has no section`);
      for (const part of ['Symptom', 'Look at', 'Cause', 'Do']) assert.match(section, new RegExp(`^- \\*\\*${part}\\.\\*\\* \\S`, 'm'), `${alert}: ${part}`);
      assert.equal(annotations.runbook, `docs/runbook.md#${alert.toLowerCase()}`);
      assert.match(labels.severity, /^(critical|warning)$/);
    }
  });

  it('names alerts, metrics and settings that exist', () => {
    const names = new Set(alerts.map(({ alert }) => alert));
    for (const [name] of runbook.matchAll(/\bSluice[A-Z]\w+/g)) assert.ok(names.has(name), name);
    const settings = knownSettings();
    for (const [name] of runbook.matchAll(/\bSLUICE_[A-Z_]+\b/g)) assert.ok(settings.has(name), name);
    for (const [, name] of runbook.matchAll(/`(sluice_[a-z0-9_]+)`/g)) assert.deepEqual(unknownMetrics(name, known), []);
  });
});

describe('the tests of the alerts', () => {
  it('make each alert fire once, and once not', () => {
    for (const { alert } of alerts) {
      const expected = tests.tests.filter(({ alert_rule_test: [{ alertname }] }) => alertname === alert).map(({ alert_rule_test: [{ exp_alerts: found }] }) => found.length);
      assert.deepEqual(expected, [1, 0], alert);
    }
  });

  it('pass', (context) => {
    const { error, status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', join(folder, 'alerts.test.yaml')], { encoding: 'utf8' });
    if (error) {
      assert.equal(error.code, 'ENOENT');
      context.diagnostic('not run: promtool is not installed (Debian: apt-get install prometheus)');
      return;
    }
    assert.equal(status, 0, `${stdout}${stderr}`);
  });
});
