/**
 * Every kind of problem for which a config is refused, as the `type` of a 422 entry, and the first moment that refuses it. save:
 * what the document alone shows; publish: what needs names outside the step. Preflight reports both.
 */
export const configProblems = {
  // Structure
  config_too_large: 'save',
  missing: 'save',
  type_error: 'save',
  enum: 'save',
  value_error: 'save',
  reserved_name: 'save',
  extra_forbidden: 'save',
  unknown_top_level_key: 'save',
  // Names
  duplicate_name: 'save',
  duplicate_step_id: 'save',
  duplicate_flow_event: 'save',
  duplicate_target: 'save',
  // Expressions
  reference_invalid: 'save',
  script_invalid: 'save',
  transform_invalid: 'save',
  when_invalid: 'save',
  // Entities
  enumeration_without_options: 'save',
  // Steps
  unknown_action: 'save',
  action_requires_version: 'save',
  fields_allowlist: 'save',
  association_category_without_type_id: 'save',
  associate_replace_without_items: 'save',
  // Sources
  secret_not_declarable: 'save',
  private_target: 'save',
  location_invalid: 'save',
  cron_invalid: 'save',
  timezone_invalid: 'save',
  url_invalid: 'save',
  encoding_invalid: 'save',
  header_invalid: 'save',
  // Ingress profile
  duplicate_path: 'save',
  reserved_path: 'save',
  unproducible_event: 'save',
  event_api_not_unique: 'save',
  // Names outside the step
  undeclared_source: 'publish',
  undeclared_entity: 'publish',
  undeclared_schema: 'publish',
  unknown_plugin: 'publish',
  plugin_unresolvable: 'publish',
  missing_credential: 'publish',
  wrong_credential_type: 'publish',
  credential_host_not_allowed: 'publish',
} as const satisfies Record<string, 'save' | 'publish'>;

export type ConfigProblemType = keyof typeof configProblems;
