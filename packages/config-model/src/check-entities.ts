import type { Entity, FieldMapping, SchemaSpec } from '@sluice/contracts';
import { compileReference, compileTemplate, compileTransforms, ExpressionError } from '@sluice/flow-engine';
import { problem, type Loc, type Problem } from './problem';
import type { Placed } from './sound-parts';

/** References, transforms and rules of the entities. */
export function checkEntities(entities: readonly Placed<Entity>[]): Problem[] {
  return entities.flatMap(({ index, value: entity }) => {
    const loc = ['entities', index];
    const schemas = Object.entries(entity.schemas).flatMap(([name, schema]) =>
      checkSchema(name, schema, [...loc, 'schemas', name]),
    );
    return [...expression([...loc, 'payload_root'], entity.payload_root, compileReference), ...schemas];
  });
}

/** Runs a compiler on an authored value that is given; its complaint becomes a problem at `loc`. */
export function expression<T>(loc: Loc, value: T | undefined, compile: (value: T) => unknown): Problem[] {
  if (value === undefined) return [];
  try {
    compile(value);
    return [];
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return [problem(`${error.code}_invalid`, loc, error.message, value)];
  }
}

function checkSchema(name: string, schema: SchemaSpec, loc: Loc): Problem[] {
  const mappings = schema.field_mappings ?? [];
  return [
    ...(name === 'crm' && schema.object_type === undefined
      ? [problem('missing', [...loc, 'object_type'], `'object_type' is required in the schema 'crm'`)]
      : []),
    ...expression([...loc, 'identity_source_path'], schema.identity_source_path, compileReference),
    ...mappings.flatMap((mapping, index) => checkMapping(mapping, [...loc, 'field_mappings', index])),
    ...repeatedTargets(mappings, loc),
  ];
}

function checkMapping(mapping: FieldMapping, loc: Loc): Problem[] {
  return [
    ...expression([...loc, 'source'], mapping.source, compileReference),
    ...expression([...loc, 'target_template'], mapping.target_template, compileTemplate),
    ...(mapping.transform ?? []).flatMap((transform, index) =>
      expression([...loc, 'transform', index], transform, (value) => compileTransforms([value], { multiple: false })),
    ),
    ...checkTarget(mapping, loc),
    ...checkOptions(mapping, loc),
  ];
}

function checkTarget(mapping: FieldMapping, loc: Loc): Problem[] {
  const given = Number(mapping.target !== undefined) + Number(mapping.target_template !== undefined);
  if (given === 0) return [problem('missing', [...loc, 'target'], `a field mapping requires 'target' or 'target_template'`)];
  return given === 2
    ? [
        problem(
          'value_error',
          [...loc, 'target_template'],
          `'target' and 'target_template' exclude each other`,
          mapping.target_template,
        ),
      ]
    : [];
}

function checkOptions(mapping: FieldMapping, loc: Loc): Problem[] {
  const withoutOptions = mapping.crm_type === 'enumeration' && (mapping.crm_options ?? []).length === 0;
  return withoutOptions
    ? [
        problem(
          'enumeration_without_options',
          [...loc, 'crm_options'],
          `'crm_options' is required for an enumeration`,
          mapping.crm_options ?? null,
        ),
      ]
    : [];
}

/** Two mappings to one property would silently overwrite each other. */
function repeatedTargets(mappings: readonly FieldMapping[], loc: Loc): Problem[] {
  const seen = new Set<string>();
  return mappings.flatMap(({ target }, index) => {
    if (target === undefined) return [];
    const again = seen.has(target);
    seen.add(target);
    return again
      ? [
          problem(
            'duplicate_target',
            [...loc, 'field_mappings', index, 'target'],
            `more than one mapping writes '${target}'`,
            target,
          ),
        ]
      : [];
  });
}
