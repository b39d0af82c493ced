export type Schema = Readonly<Record<string, unknown>>;

export interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  schema: Schema;
}

/** One operation of an OpenAPI document. */
export interface Operation {
  method: string;
  path: string;
  operationId: string;
  parameters: readonly Parameter[];
  /** Schema of the JSON body; undefined: none. */
  body: Schema | undefined;
  /** Whether it answers with a stream that does not end by itself. */
  endless: boolean;
  /** Documented answers by status, each with its JSON schema (undefined: no JSON body), `$ref`s resolved. */
  answers: ReadonlyMap<number, Schema | undefined>;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface OpenApi {
  paths: Record<string, Record<string, RawOperation>>;
  components?: { schemas?: Record<string, Schema> };
}

interface RawOperation {
  operationId: string;
  parameters?: Parameter[];
  requestBody?: Content;
  responses: Record<string, Content>;
}

const json = 'application/json';
const isEndless = ({ responses }: RawOperation): boolean =>
  Object.values(responses).some(({ content }) => content?.['text/event-stream'] !== undefined);

/** The operations of an OpenAPI 3.1 document. */
export function operationsOf(document: object): Operation[] {
  const { paths, components } = document as OpenApi;
  const schemas = components?.schemas ?? {};
  const answersOf = ({ responses }: RawOperation): Operation['answers'] => new Map(
    Object.entries(responses).map(([status, { content }]) =>
      [Number(status), resolved(content?.[json]?.schema, schemas) as Schema | undefined]),
  );
  const operationOf = (path: string, method: string, raw: RawOperation): Operation => ({
    method: method.toUpperCase(), path, operationId: raw.operationId, parameters: raw.parameters ?? [],
    body: raw.requestBody?.content?.[json]?.schema, endless: isEndless(raw), answers: answersOf(raw),
  });
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => operationOf(path, method, raw)));
}

function resolved(value: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((one) => resolved(one, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { $ref?: unknown };
  if (typeof $ref === 'string') return resolved(schemas[$ref.split('/').at(-1) as string], schemas);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolved(inner, schemas)]));
}
