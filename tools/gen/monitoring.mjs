/** The operator's kit: Prometheus rules with their tests, the runbook, and a Grafana dashboard. */
import { dashboard } from './monitoring/dashboard.mjs';
import { rules, ruleTests, runbook } from './monitoring/documents.mjs';

export const generator = {
  name: 'monitoring',
  /** @returns {Promise<Map<string, string>>} */
  async outputs() {
    return new Map([
      ['infra/monitoring/alerts.yaml', rules()],
      ['infra/monitoring/alerts.test.yaml', ruleTests()],
      ['infra/monitoring/dashboard.json', dashboard()],
      ['docs/runbook.md', runbook()],
    ]);
  },
};
