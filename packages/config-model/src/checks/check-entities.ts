import type { FieldMapping, SchemaSpec } from '@sluice/contracts';
import { canonicalPath, compileReference, compileTemplate, compileTransforms, ExpressionError } from '@sluice/flow-engine';
import { problem, type Loc, type Problem } from '../document/problem';
import type { ValidParts } from '../document/valid-parts';

/** References, transforms and rules of the entities. */
export function* checkEntities(parts: ValidParts): Generator<Problem> {
  for (const { index, value: entity } of parts.entities) {
    const loc = ['entities', index];
    const schemas = parts.isOpen([...loc, 'schemas']) ? Object.entries(entity.schemas) : [];
    yield* soundExpression(parts, [...loc, 'payload_root'], entity.payload_root);
    for (const [name, schema] of schemas) yield* checkSchema(name, schema, [...loc, 'schemas', name], parts);
  }
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

function soundExpression({ isSound }: ValidParts, loc: Loc, reference: string | undefined): Problem[] {
  return isSound(loc) ? expression(loc, reference, compileReference) : [];
}

function* checkSchema(name: string, schema: SchemaSpec, loc: Loc, parts: ValidParts): Generator<Problem> {
  if (!parts.isOpen(loc)) return;
  const list = parts.isOpen([...loc, 'field_mappings']) ? (schema.field_mappings ?? []) : [];
  const mappings = list
    .map((mapping, index) => ({ mapping, loc: [...loc, 'field_mappings', index] }))
    .filter((placed) => parts.isSound(placed.loc));
  if (name === 'crm' && schema.object_type === undefined)
    yield problem('missing', [...loc, 'object_type'], `'object_type' is required in the schema 'crm'`);
  yield* soundExpression(parts, [...loc, 'identity_source_path'], schema.identity_source_path);
  for (const placed of mappings) yield* checkMapping(placed.mapping, placed.loc);
  yield* repeatedTargets(mappings);
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
    : expression([...loc, 'target'], mapping.target, canonicalPath);
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
function repeatedTargets(mappings: readonly { mapping: FieldMapping; loc: Loc }[]): Problem[] {
  const seen = new Set<string>();
  return mappings.flatMap(({ mapping: { target }, loc }) => {
    if (target === undefined) return [];
    const again = seen.has(target);
    seen.add(target);
    return again ? [problem('duplicate_target', [...loc, 'target'], `more than one mapping writes '${target}'`, target)] : [];
  });
}
