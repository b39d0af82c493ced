import { defineRoute } from '../../../http/route';

export const rebuildCounts = defineRoute({
  name: 'rebuild_counts',
  method: 'post',
  path: '/operator/counts/rebuild',
  tag: 'Operator',
  auth: 'operator',
  // It changes no organization and nothing that one owns.
  audit: null,
  summary: 'Count again what the monitoring routes and the billing view count, from the rows themselves',
  description: 'Needed after a restore of single tables. It runs in the background as `monitoring.rebuild` of the overview.',
  answers: { 202: { description: 'It runs soon.' } },
  errors: [],
});
