import type { Template } from './template';

/** A template as the list shows it. */
export const templateSummary = ({ id, name, description, config }: Template) => ({
  id,
  name,
  description,
  config_version: config.version,
  sources: config.sources.map(({ name: source, type }) => ({ name: source, type })),
  event_types: config.flows.map(({ event_type }) => event_type),
  object_types: [...new Set(config.entities.flatMap(({ schemas }) => schemas.crm?.object_type ?? []))],
});

/** A template in full. */
export const templateView = (template: Template) => ({
  ...templateSummary(template),
  config: template.config,
  sample_events: template.sampleEvents,
});
