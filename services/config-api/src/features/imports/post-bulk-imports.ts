import { type BodyOf, configRoutes, type FieldsOf, importLimits } from '@sluice/contracts';
import type { BulkImport } from '@sluice/ports';
import { apiError, type FormReader, HttpError, type HttpRoute, implementRoute, validationEntry } from '@sluice/service-kit';
import type { ImportDeps } from './deps';
import { fileRows, formatOf, type ParsedRow, readMapping } from './file';
import { eventTypeOf, importTarget, type ImportTarget } from './import-target';
import { importView } from './import-view';
import { storeImport } from './store-import';
import { withUploadedFile } from './uploaded-file';

type Route = typeof configRoutes.createBulkImport;

/** Where a request comes from. */
interface Asked {
  target: ImportTarget;
  requestId: string;
}

export function postBulkImports(deps: ImportDeps): HttpRoute {
  return implementRoute(configRoutes.createBulkImport, {
    authenticate: deps.authenticate,
    handler: async ({ params, principal, body, form, requestId, wide }) => {
      const asked = { target: await importTarget(deps, principal, params.connector_id), requestId };
      // What is no form has a body, as the contract says.
      const job = form ? await ofForm(deps, asked, form) : await ofBody(deps, asked, body!);
      wide.add({ connector_id: asked.target.connector.connector_id, import_id: job.id, rows: job.rowsTotal });
      return { status: 202, body: importView(job) };
    },
  });
}

async function ofBody(
  deps: ImportDeps, { target, requestId }: Asked, { entity, rows, ...body }: NonNullable<BodyOf<Route>>,
): Promise<BulkImport> {
  if (rows.length > importLimits.rows)
    throw apiError('payload_too_large', { limit_bytes: configRoutes.createBulkImport.bodyLimit, limit_rows: importLimits.rows });
  const eventType = await eventTypeOf(deps, target, { entity, ...body });
  return storeImport(deps, { target, entity, eventType, requestId }, rows.map(
    ({ external_id: externalId, properties }, index): ParsedRow => ({ line: index + 1, externalId, properties, problem: null }),
  ));
}

/** The file is stored first, because the fields that say what it is may come after it. */
async function ofForm(deps: ImportDeps, { target, requestId }: Asked, form: FormReader<Route>): Promise<BulkImport> {
  return withUploadedFile(deps, async (upload) => {
    const { fields, files: { file: format } } = await form.receive({
      file: async ({ filename, bytes }) => {
        const found = formatOf(filename);
        await upload.store(bytes);
        return found;
      },
    });
    const options = { delimiter: delimiterOf(fields), mapping: readMapping(fields.mapping) };
    const eventType = await eventTypeOf(deps, target, fields);
    const rows = atLeastOne(fileRows(await upload.read(), format, options));
    return storeImport(deps, { target, entity: fields.entity, eventType, requestId }, rows);
  });
}

/** @throws HttpError 422 at `delimiter` */
function delimiterOf({ delimiter = ',' }: FieldsOf<Route>): string {
  if ([...delimiter].length === 1 && !/["\r\n]/.test(delimiter)) return delimiter;
  const message = 'delimiter is one character, and neither a quote nor a line break';
  throw new HttpError(422, [validationEntry('body', ['delimiter'], 'value_error', message, delimiter)]);
}

/** @throws HttpError 422 at `file` when there are none */
async function* atLeastOne(rows: AsyncIterable<ParsedRow>): AsyncGenerator<ParsedRow> {
  let any = false;
  for await (const row of rows) {
    any = true;
    yield row;
  }
  if (!any) throw new HttpError(422, [validationEntry('body', ['file'], 'no_rows', 'The file has no rows', null)]);
}
