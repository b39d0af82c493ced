/** The Grafana dashboard: rows of panels, each a title, a unit and its queries. */

const requests = 'sluice_http_request_duration_seconds';
const quantile = (share, metric, by = '') => `histogram_quantile(${share}, sum by (le${by}) (rate(${metric}_bucket[$__rate_interval])))`;
const perSecond = (metric, by, labels = '') => `sum by (${by}) (rate(${metric}${labels}[$__rate_interval]))`;

/** @type {{ title: string, panels: { title: string, unit: string, queries: Record<string, string> }[] }[]} the key of a query is its legend */
export const rows = [
  {
    title: 'Accepting',
    panels: [
      { title: 'Requests by status', unit: 'reqps', queries: { '{{status}}': perSecond(`${requests}_count`, 'status', '{service="ingest-api"}') } },
      { title: 'Time to answer', unit: 's', queries: { p50: quantile(0.5, requests), p95: quantile(0.95, requests), p99: quantile(0.99, requests) } },
      { title: 'Event loop lag, p99', unit: 's', queries: { '{{app_kubernetes_io_name}} {{pod}}': 'max by (app_kubernetes_io_name, pod) (nodejs_eventloop_lag_p99_seconds)' } },
    ],
  },
  {
    title: 'Processing',
    panels: [
      { title: 'Records by outcome', unit: 'cps', queries: { '{{status}}': perSecond('sluice_record_outcomes_total', 'status') } },
      { title: 'From accept to outcome', unit: 's', queries: { p50: quantile(0.5, 'sluice_event_latency_seconds'), p95: quantile(0.95, 'sluice_event_latency_seconds') } },
      { title: 'Unread messages', unit: 'short', queries: { '{{group}}': 'sum by (group) (max by (group, topic, partition) (sluice_consumer_lag))' } },
      { title: 'Oldest unprocessed event', unit: 's', queries: { '{{group}} {{topic}}': 'max by (group, topic) (sluice_oldest_unprocessed_seconds)' } },
      { title: 'Held events', unit: 'short', queries: { '{{reason}}': 'max by (reason) (sluice_held_events)' } },
      { title: 'Events that began to wait', unit: 'cps', queries: { '{{reason}}': perSecond('sluice_events_held_total', 'reason') } },
      { title: 'Events indexed', unit: 'cps', queries: { indexed: 'sum(rate(sluice_events_indexed_total[$__rate_interval]))' } },
      { title: 'Failures of reading', unit: 'cps', queries: { '{{service}}': perSecond('sluice_reading_failures_total', 'service') } },
    ],
  },
  {
    title: 'The CRM and destinations',
    panels: [
      { title: 'Calls to the CRM by status', unit: 'reqps', queries: { '{{status}}': perSecond('sluice_crm_calls_total', 'status') } },
      { title: 'Calls to the CRM by kind', unit: 'reqps', queries: { '{{kind}}': perSecond('sluice_crm_calls_total', 'kind') } },
      { title: 'Time of a call to the CRM, p95', unit: 's', queries: { '{{kind}}': quantile(0.95, 'sluice_crm_call_seconds', ', kind') } },
      { title: 'Requests to destinations by status', unit: 'reqps', queries: { '{{status}}': perSecond('sluice_target_calls_total', 'status') } },
      { title: 'Time of a request to a destination', unit: 's', queries: { p50: quantile(0.5, 'sluice_target_call_seconds'), p95: quantile(0.95, 'sluice_target_call_seconds') } },
    ],
  },
  {
    title: 'The installation',
    panels: [
      { title: 'Running instances', unit: 'short', queries: { '{{app_kubernetes_io_name}}': 'sum by (app_kubernetes_io_name) (up{app_kubernetes_io_part_of="sluice"})' } },
      { title: 'Changes of configuration on their way', unit: 'short', queries: { waiting: 'max(sluice_outbox_waiting)', 'set aside': 'max(sluice_outbox_set_aside)' } },
      { title: 'Oldest change on its way', unit: 's', queries: { oldest: 'max(sluice_outbox_oldest_seconds)' } },
      { title: 'Background runs that failed', unit: 'cps', queries: { '{{worker}}': perSecond('sluice_background_runs_total', 'worker', '{outcome="failed"}') } },
      { title: 'Work threads: waiting jobs', unit: 'short', queries: { '{{service}}': 'max by (service) (sluice_work_thread_waiting)' } },
      { title: 'Redis answers', unit: 'short', queries: { '{{service}}': 'min by (service) (sluice_key_value_up)' } },
      { title: 'Memory', unit: 'bytes', queries: { '{{app_kubernetes_io_name}} {{pod}}': 'max by (app_kubernetes_io_name, pod) (process_resident_memory_bytes{app_kubernetes_io_part_of="sluice"})' } },
      { title: 'CPU', unit: 'percentunit', queries: { '{{app_kubernetes_io_name}} {{pod}}': 'max by (app_kubernetes_io_name, pod) (rate(process_cpu_seconds_total{app_kubernetes_io_part_of="sluice"}[$__rate_interval]))' } },
    ],
  },
];

const [columns, width, height] = [24, 8, 8];
const source = { type: 'prometheus', uid: '${datasource}' };

/** The dashboard as Grafana imports it. @returns {string} */
export function dashboard() {
  const panels = [];
  let y = 0;
  for (const { title, panels: inRow } of rows) {
    panels.push({ id: panels.length + 1, type: 'row', title, collapsed: false, gridPos: { x: 0, y, w: columns, h: 1 }, panels: [] });
    y += 1;
    inRow.forEach((panel, index) => panels.push(drawn(panel, panels.length + 1, { x: (index * width) % columns, y: y + Math.floor((index * width) / columns) * height })));
    y += Math.ceil((inRow.length * width) / columns) * height;
  }
  const variable = { name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Prometheus', hide: 0 };
  const whole = { uid: 'sluice', title: 'Sluice', tags: ['sluice'], schemaVersion: 39, editable: true, refresh: '30s', time: { from: 'now-6h', to: 'now' }, templating: { list: [variable] }, panels };
  return `${JSON.stringify(whole, null, 2)}\n`;
}

const drawn = ({ title, unit, queries }, id, { x, y }) => ({
  id,
  type: 'timeseries',
  title,
  datasource: source,
  gridPos: { x, y, w: width, h: height },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  targets: Object.entries(queries).map(([legendFormat, expr], index) => ({ refId: String.fromCharCode(65 + index), datasource: source, expr, legendFormat })),
});
