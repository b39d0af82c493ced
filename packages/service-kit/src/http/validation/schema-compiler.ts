import { type JsonSchema, utcTime } from '@sluice/contracts';
import addFormats from 'ajv-formats';
import { fullFormats } from 'ajv-formats/dist/formats';
import Ajv2020, { type Options, type ValidateFunction } from 'ajv/dist/2020';

/** Words of OpenAPI and of our own documents, which say nothing about validity. */
const vocabulary = ['example', 'markdownDescription', 'discriminator', 'xml', 'externalDocs'];

/** Whether a value is what a schema asks for, with the errors of its last call. */
export type SchemaCheck = ((value: unknown) => boolean) & Pick<ValidateFunction, 'errors'>;

/**
 * Compilers for the schemas of contracts (JSON Schema 2020-12, strict: a schema with an unknown word does not
 * compile). `json` checks and changes nothing. `text` is for query and path, where everything arrives as text:
 * it coerces to the schema's types and fills in defaults. Both take a time without a zone, which is UTC (`timeWriter` writes it
 * as such), and an email address with spaces at its ends; `answer` is for what we send, where every time has its zone.
 *
 * The first value to check compiles its schema: all routes of a service would take tenths of a second of its start. That each of
 * them compiles, and is a schema in the terms of JSON Schema, is what the tests of the contracts see.
 */
const formats = {
  'date-time': (text: string) => utcTime(text) !== null,
  email: (text: string) => (fullFormats.email as RegExp).test(text.trim()),
};
export const schemaCompilers = {
  json: compiler({ formats }),
  text: compiler({ formats, coerceTypes: 'array', useDefaults: true }),
  answer: compiler({}),
};

export type SchemaCompiler = (schema: JsonSchema) => SchemaCheck;

function compiler(options: Options): SchemaCompiler {
  let ajv: Ajv2020 | undefined;
  return (schema) => {
    let compiled: ValidateFunction | undefined;
    const check: SchemaCheck = (value) => {
      compiled ??= (ajv ??= createAjv(options)).compile(schema as object);
      const valid = compiled(value);
      check.errors = compiled.errors;
      return valid;
    };
    return check;
  };
}

function createAjv(options: Options): Ajv2020 {
  const strict: Options = { strict: true, strictRequired: false, strictTypes: false, allowUnionTypes: true };
  // `verbose`: an error has the schema that it broke, for its words.
  const told: Options = { allErrors: true, verbose: true };
  const { formats = {}, ...others } = options;
  const ajv = addFormats(new Ajv2020({ ...strict, ...told, validateSchema: false, ...others }));
  for (const [name, format] of Object.entries(formats)) if (format !== undefined) ajv.addFormat(name, format);
  return ajv.addVocabulary(vocabulary);
}
