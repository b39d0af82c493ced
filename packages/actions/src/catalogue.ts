import type { CheckMode, DescribedAction } from './action-definition';
import { limitText } from './action-limit';
import type { FieldSchema } from './field-schema';
import { allActions } from './registry';

/** A field of an action as /api/config-surface shows it. */
export interface CatalogueField {
  name: string;
  type: string;
  required: boolean;
  description: string;
  default: unknown;
  enum_values: unknown[] | null;
}

/** An action as /api/config-surface shows it: every key present, null where empty. */
export interface CatalogueEntry {
  name: string;
  description: string;
  category: string;
  min_version: '3.0' | '3.1';
  fields: CatalogueField[];
  required_checks: { fields: string[]; message: string; mode: CheckMode; equals: string | null }[];
  limits: { id: string; text: string }[];
  examples: { title: string; step: Record<string, unknown> }[];
}

/** Every action, as `GET /api/config-surface` describes them. */
export function actionCatalogue(): CatalogueEntry[] {
  return allActions().map(entryOf);
}

function entryOf(action: DescribedAction): CatalogueEntry {
  return {
    name: action.name,
    description: action.description,
    category: action.category,
    min_version: action.min_version,
    fields: Object.entries(action.configSchema.properties).map(([name, schema]) => fieldOf(action, name, schema)),
    required_checks: [
      ...action.required_checks.map(({ fields, message, mode, equals }) => ({ fields: [...fields], message, mode, equals })),
      ...action.rules.map(({ fields, message }) => ({ fields: [...fields], message, mode: 'rule' as const, equals: null })),
    ],
    limits: action.limits.map((limit) => ({ id: limit.id, text: limitText(limit) })),
    examples: action.examples.map(({ title, config }) => ({
      title,
      step: { id: `${action.name}_1`, action: action.name, ...config },
    })),
  };
}

function fieldOf(action: DescribedAction, name: string, schema: FieldSchema): CatalogueField {
  return {
    name,
    type: typeOf(schema),
    required: action.configSchema.required?.includes(name) ?? false,
    description: schema.description ?? '',
    default: schema.default ?? null,
    enum_values: schema.enum ? [...schema.enum] : null,
  };
}

/** `reference` where the author must write one; else the JSON type. */
function typeOf(schema: FieldSchema): string {
  const resolution = schema['x-resolve'];
  if (resolution === 'reference' || resolution === 'list' || resolution === 'each') return 'reference';
  if (schema.type === undefined) return 'any';
  return typeof schema.type === 'string' ? schema.type : schema.type.join('|');
}
