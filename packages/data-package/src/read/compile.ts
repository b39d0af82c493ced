import type { JsonSchema } from '@sluice/contracts';
import addFormats from 'ajv-formats';
import Ajv2020 from 'ajv/dist/2020';

/** Says in words why a value does not fit its schema: place and rule; null: it fits. */
export type ProblemOf = (value: unknown) => string | null;

/** @param schema is compiled with the first value */
export function compile(schema: JsonSchema): ProblemOf {
  let check: ReturnType<Ajv2020['compile']> | undefined;
  return (value) => {
    check ??= ajv().compile(schema as object);
    if (check(value)) return null;
    const [first] = check.errors ?? [];
    return `${first?.instancePath ?? ''}: ${first?.message ?? 'is not as it should be'}`;
  };
}

let shared: Ajv2020 | undefined;
const ajv = (): Ajv2020 =>
  (shared ??= addFormats(new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allowUnionTypes: true })));
