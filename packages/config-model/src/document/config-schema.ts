import { allActionNames, allActions, type DescribedAction, type FieldSchema } from '@sluice/actions';
import { conflictStrategies, knownSettings, sourceTypes } from '@sluice/contracts';
import { transformCatalogue, whenVariants } from '@sluice/flow-engine';
import { allSources, configSchemaOf } from '@sluice/sources';
import { configLimits } from './config-limits';
import { ingressProfileSchema } from './ingress-profile-schema';

type Schema = Record<string, unknown>;

/** Names that mean something to JavaScript or to a URL. Nothing in a config may be named so, at whatever depth. */
export const reservedNames = ['__proto__', 'constructor', 'prototype', '.', '..'] as const;

const notReserved = { not: { enum: [...reservedNames] } };
const name = { type: 'string', minLength: 1, maxLength: 128, pattern: '\\S', ...notReserved };
/** It becomes part of the CRM's paths. */
const objectType = { ...name, pattern: '^[A-Za-z0-9_-]+$', description: 'For example contacts, or p<portal id>_<name>.' };
const reference = { type: 'string', minLength: 2, maxLength: 2048, description: 'A reference, for example $.payload.email.' };

export const configSchemaId = 'https://sluice.invalid/config-document.json';

/**
 * JSON Schema (2020-12) of the config document, derived from the actions, the types of sources, the transforms and `when`. It is
 * structural only: `checkConfig` checks what a step requires and whether references compile.
 */
export const configSchema: Schema = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: configSchemaId,
  title: 'Config document',
  ...object({
    required: ['version', 'entities', 'flows', 'sources'],
    properties: {
      version: { enum: ['3.0', '3.1'], description: 'The five bulk actions require 3.1.' },
      entities: { type: 'array', maxItems: configLimits.entities, items: { $ref: '#/$defs/entity' } },
      flows: { type: 'array', maxItems: configLimits.flows, items: { $ref: '#/$defs/flow' } },
      sources: { type: 'array', maxItems: configLimits.sources, items: { $ref: '#/$defs/source' } },
      settings: {
        ...knownSettings,
        description: 'Anything; keys that the settings of a connector have are checked as there, and count there only.',
      },
      conflicts: { $ref: '#/$defs/conflicts' },
      pipelines: { type: 'array', maxItems: configLimits.pipelines, items: { $ref: '#/$defs/pipeline' } },
      ingress_profile: { $ref: '#/$defs/ingress_profile' },
    },
  }),
  $defs: {
    entity: entitySchema(),
    schema_spec: schemaSpecSchema(),
    field_mapping: fieldMappingSchema(),
    transform: transformSchema(),
    flow: flowSchema(),
    when: whenSchema(),
    step: stepSchema(),
    source: sourceSchema(),
    conflicts: conflictsSchema(),
    pipeline: pipelineSchema(),
    ingress_profile: ingressProfileSchema,
    ...Object.fromEntries(allActions().map((action) => [actionDef(action), actionSchema(action)])),
    ...Object.fromEntries(allSources().map((source) => [`source_${source.type}`, configSchemaOf(source)])),
  },
};

/** A closed object. */
function object(parts: { properties: Schema; required?: string[] }): Schema {
  return { type: 'object', additionalProperties: false, ...parts };
}

function entitySchema(): Schema {
  return object({
    required: ['name', 'schemas'],
    properties: {
      name,
      schemas: {
        type: 'object',
        minProperties: 1,
        maxProperties: configLimits.schemasPerEntity,
        additionalProperties: { $ref: '#/$defs/schema_spec' },
        description: 'By schema name; the one named crm describes the CRM record.',
      },
      payload_root: reference,
      on_target_deleted: { enum: ['skip', 'recreate'], default: 'skip' },
    },
  });
}

function schemaSpecSchema(): Schema {
  const guard = object({
    required: ['properties', 'max_changed'],
    properties: {
      properties: { type: 'array', minItems: 1, maxItems: configLimits.guardProperties, items: name },
      max_changed: { type: 'integer', minimum: 0 },
    },
  });
  return object({
    properties: {
      object_type: objectType,
      identity: object({ required: ['property'], properties: { strategy: { type: 'string' }, property: name, guard } }),
      identity_source_path: reference,
      property_group: name,
      field_mappings: { type: 'array', maxItems: configLimits.mappingsPerSchema, items: { $ref: '#/$defs/field_mapping' } },
    },
  });
}

function fieldMappingSchema(): Schema {
  const option = object({
    required: ['value'],
    properties: { value: { type: 'string', minLength: 1 }, label: { type: 'string' } },
  });
  return object({
    required: ['source'],
    properties: {
      source: reference,
      target: { ...name, description: 'Property name; one that starts with $ is canonical-side.' },
      target_template: { type: 'string', minLength: 1, maxLength: 512, description: 'For example price_{$.payload.currency}.' },
      provision_names: { type: 'array', maxItems: configLimits.provisionNames, items: name },
      transform: { type: 'array', maxItems: 50, items: { $ref: '#/$defs/transform' } },
      crm_type: { type: 'string', default: 'string' },
      crm_field_type: { type: 'string', default: 'text' },
      crm_label: { type: 'string' },
      crm_options: { type: 'array', maxItems: configLimits.optionsPerMapping, items: option },
    },
  });
}

function transformSchema(): Schema {
  const names = (kind: string): string[] =>
    transformCatalogue.filter((transform) => transform.kind === kind).map((transform) => transform.name);
  const parametric = object({
    required: ['name'],
    properties: { name: { enum: [...names('parametric'), ...names('builtin')] }, args: { type: 'object' } },
  });
  return { anyOf: [{ enum: names('builtin') }, parametric] };
}

function whenSchema(): Schema {
  const when = { $ref: '#/$defs/when' };
  const compared = (field: string, schema: Schema | true): Schema =>
    object({ required: ['path', field], properties: { path: reference, [field]: schema } });
  const values: Record<string, Schema> = {
    exists: reference,
    found: { type: 'string', minLength: 1 },
    in: compared('values', { type: 'array' }),
    not: when,
    all: { type: 'array', items: when },
  };
  const variants = whenVariants.map(({ key, description }) =>
    object({ required: [key], properties: { [key]: { ...(values[key] ?? compared('value', true)), description } } }),
  );
  return { oneOf: variants };
}

/** Keys of a flow. Others are kept and ignored. */
export const flowKeys: readonly string[] = Object.keys(flowSchema().properties as object);

/** Keys of every step, beside the fields of its action. */
export const stepKeys: readonly string[] = Object.keys(stepSchema().properties as object);

function flowSchema(): Schema {
  return {
    type: 'object',
    description: 'Unknown keys are kept and ignored.',
    required: ['name', 'source', 'event_type', 'steps'],
    properties: {
      name,
      source: name,
      event_type: { type: 'string', minLength: 1, maxLength: 256, description: 'Exact, or a suffix wildcard <prefix>.*' },
      event_type_from: { type: ['string', 'null'], default: null },
      enabled: { type: 'boolean', default: true },
      suppress_echo: { type: 'boolean', default: false },
      freshness_check: { type: 'boolean', default: true },
      narrow_outbound_projection: { type: 'boolean', default: false },
      steps: { type: 'array', maxItems: configLimits.stepsPerFlow, items: { $ref: '#/$defs/step' } },
    },
  };
}

function stepSchema(): Schema {
  return {
    type: 'object',
    description: 'Unknown keys are kept and ignored.',
    required: ['id', 'action'],
    properties: {
      id: {
        type: 'string',
        maxLength: 128,
        pattern: '^[A-Za-z_][A-Za-z0-9_-]*$',
        ...notReserved,
        description: 'Unique in the flow; addresses its output as $<id>.<field>.',
      },
      action: { enum: [...allActionNames] },
      when: { $ref: '#/$defs/when' },
    },
    allOf: allActions().map((action) => ({
      if: { type: 'object', required: ['action'], properties: { action: { const: action.name } } },
      then: { $ref: `#/$defs/${actionDef(action)}` },
    })),
  };
}

function actionDef(action: DescribedAction): string {
  return `step_${action.name}`;
}

function actionSchema(action: DescribedAction): Schema {
  const properties = Object.entries(action.configSchema.properties).map(
    ([field, schema]) => [field, withoutAnnotations(schema)] as const,
  );
  return { type: 'object', title: action.title, description: action.description, properties: Object.fromEntries(properties) };
}

/** The published schema keeps to the standard's own words. */
function withoutAnnotations(schema: FieldSchema): Schema {
  const { 'x-resolve': _resolution, items, properties, ...rest } = schema;
  return {
    ...rest,
    ...(items && { items: withoutAnnotations(items) }),
    ...(properties && {
      properties: Object.fromEntries(Object.entries(properties).map(([field, inner]) => [field, withoutAnnotations(inner)])),
    }),
  };
}

function sourceSchema(): Schema {
  return {
    ...object({
      required: ['name', 'type'],
      properties: { name, type: { enum: [...sourceTypes] }, config: { type: 'object' } },
    }),
    allOf: allSources().map(({ type, configSchema: { required = [] } }) => ({
      if: { type: 'object', required: ['type'], properties: { type: { const: type } } },
      then: {
        type: 'object',
        ...(required.length > 0 && { required: ['config'] }),
        properties: { config: { $ref: `#/$defs/source_${type}` } },
      },
    })),
  };
}

function conflictsSchema(): Schema {
  const policy = {
    strategy: { enum: [...conflictStrategies], default: 'source_wins' },
    source_modified_path: reference,
    per_property_freshness: { type: 'boolean', default: false },
  };
  return object({
    properties: { ...policy, entities: { type: 'object', additionalProperties: object({ properties: policy }) } },
  });
}

function pipelineSchema(): Schema {
  const stage = object({
    required: ['label'],
    properties: { label: name, probability: { type: 'number', minimum: 0, maximum: 1 }, closed: { type: 'boolean' } },
  });
  return object({
    required: ['object_type', 'label', 'stages'],
    properties: {
      object_type: objectType,
      label: name,
      stages: { type: 'array', minItems: 1, maxItems: configLimits.stagesPerPipeline, items: stage },
    },
  });
}
