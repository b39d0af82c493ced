import type { JsonSchema } from '@sluice/contracts';
import addFormats from 'ajv-formats';
import Ajv2020, { type Options, type ValidateFunction } from 'ajv/dist/2020';

/** Words of OpenAPI and of our own documents, which say nothing about validity. */
const vocabulary = ['example', 'markdownDescription', 'discriminator', 'xml', 'externalDocs'];

/**
 * Compilers for the schemas of contracts (JSON Schema 2020-12, strict: a schema with an unknown word does not
 * compile). `json` checks and changes nothing. `text` is for query and path, where everything arrives as text:
 * it coerces to the schema's types and fills in defaults.
 */
export const schemaCompilers = { json: compiler({}), text: compiler({ coerceTypes: 'array', useDefaults: true }) };

export type SchemaCompiler = (schema: JsonSchema) => ValidateFunction;

function compiler(options: Options): SchemaCompiler {
  const ajv = addFormats(
    new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, allErrors: true, allowUnionTypes: true, ...options }),
  );
  ajv.addVocabulary(vocabulary);
  return (schema) => ajv.compile(schema as object);
}
