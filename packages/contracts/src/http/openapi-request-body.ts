import { byTitle } from './openapi-examples';
import type { JsonSchema, RouteContract, RouteForm } from './route';

/**
 * The request body of a route: JSON, a form, bytes; undefined when it has none.
 * @param schema of the JSON body
 */
export function openApiRequestBody(route: RouteContract, schema = route.body): Record<string, unknown> | undefined {
  const { form, upload } = route;
  const content = {
    ...(schema !== undefined && { 'application/json': jsonContent(route, schema) }),
    ...(form && { 'multipart/form-data': { schema: formSchema(form) } }),
    ...Object.fromEntries((upload?.contentTypes ?? []).map((type) => [type, { schema: bytesSchema(type) }])),
  };
  if (Object.keys(content).length === 0) return undefined;
  return {
    required: route.bodyRequired !== false,
    ...(upload && { description: `${upload.description} At most ${upload.maxBytes} bytes.` }),
    content,
  };
}

/** Bytes that are no JSON. */
export const bytesSchema = (contentMediaType: string): Record<string, unknown> => ({ type: 'string', contentMediaType });

function jsonContent(route: RouteContract, schema: JsonSchema): Record<string, unknown> {
  const examples = (route.examples ?? []).filter(({ body }) => body !== undefined);
  return {
    schema, ...(examples.length > 0 && { examples: byTitle(examples.map(({ title, body }) => ({ title, value: body }))) }),
  };
}

interface ObjectSchema {
  properties?: Record<string, unknown>;
  required?: readonly string[];
}

/** Fields and files of a form are the properties of one object. */
function formSchema({ fields, files }: RouteForm): Record<string, unknown> {
  const { properties = {}, required = [], ...rest } = fields as ObjectSchema;
  const entries = Object.entries(files);
  const shown = entries.map(([name, { description, maxBytes }]) => [
    name, { ...bytesSchema('application/octet-stream'), description: `${description} At most ${maxBytes} bytes.` },
  ]);
  const needed = [...required, ...entries.filter(([, file]) => file.required).map(([name]) => name)];
  return { ...rest, ...(needed.length > 0 && { required: needed }), properties: { ...properties, ...Object.fromEntries(shown) } };
}
