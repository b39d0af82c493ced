import type { CallOptions, CrmAccess, CrmFile, CrmFileClient, CrmResult } from '@sluice/ports';
import { mapResult } from './map-result';
import { multipartBody } from './multipart-body';
import { crmPaths } from './paths';
import { anything, type WireCall, type WireRequest } from './wire-call';

interface WireFile {
  id?: string | number;
  name?: string;
  extension?: string;
  path?: string;
  url?: string;
  fileMd5?: string;
}

const hasId: WireRequest['readable'] = (body) => 'id' in body;

const toFile = ({ id, name = '', extension = '', path = '', url, fileMd5 }: WireFile): CrmFile => ({
  id: String(id),
  fileName: extension === '' ? name : `${name}.${extension}`,
  path,
  url: url ?? null,
  md5: fileMd5?.toLowerCase() ?? null,
});

/** An object that does not exist is no failure: null instead. */
const orNull = <T,>(answer: CrmResult<T>): CrmResult<T | null> =>
  !answer.ok && answer.code === 'crm_not_found' ? { ok: true, value: null, status: answer.status } : answer;

/** Files and the notes that carry them (docs/reference/crm-api.md, Files and forms). */
export function createFileCalls(call: WireCall): Omit<CrmFileClient, 'submitForm'> {
  const remove = async ({ accessToken }: CrmAccess, path: string, options: CallOptions): Promise<CrmResult<null>> =>
    mapResult(orNull(await call<unknown>({ method: 'DELETE', path, accessToken, readable: anything }, options)), () => null);
  return {
    uploadFile: async ({ accessToken }, { bytes, fileName, folderPath, access, reuse }, options) => {
      const duplicates = {
        duplicateValidationStrategy: reuse ? 'RETURN_EXISTING' : 'NONE',
        duplicateValidationScope: 'EXACT_FOLDER',
      };
      const texts = { fileName, folderPath, options: JSON.stringify({ access, overwrite: false, ...duplicates }) };
      const raw = multipartBody(texts, { name: 'file', fileName, bytes });
      const answer = await call<WireFile>({ method: 'POST', path: crmPaths.files, accessToken, raw, readable: hasId }, options);
      return mapResult(answer, toFile);
    },
    file: async ({ accessToken }, id, options) => {
      const answer = await call<WireFile>({ method: 'GET', path: crmPaths.file(id), accessToken, readable: hasId }, options);
      return orNull(mapResult(answer, toFile));
    },
    fileAt: async ({ accessToken }, path, options) => {
      const ask: WireRequest = { method: 'GET', path: crmPaths.fileAt(path), accessToken, readable: (body) => 'file' in body };
      return orNull(mapResult(await call<{ file: WireFile }>(ask, options), ({ file }) => toFile(file)));
    },
    deleteFile: (access, id, options) => remove(access, crmPaths.file(id), options),
    createNote: async ({ accessToken }, { body, at, fileIds, to }, options) => {
      const types = [{ associationCategory: to.category, associationTypeId: to.typeId }];
      const json = {
        properties: { hs_timestamp: at.toISOString(), hs_note_body: body, hs_attachment_ids: fileIds.join(';') },
        associations: [{ to: { id: to.id }, types }],
      };
      const ask: WireRequest = { method: 'POST', path: crmPaths.notes, accessToken, json, readable: hasId };
      return mapResult(await call<{ id: string | number }>(ask, options), ({ id }) => ({ id: String(id) }));
    },
    setNoteFiles: async ({ accessToken }, id, fileIds, options) => {
      const json = { properties: { hs_attachment_ids: fileIds.join(';') } };
      const ask: WireRequest = { method: 'PATCH', path: crmPaths.note(id), accessToken, json, readable: hasId };
      return mapResult(await call<unknown>(ask, options), () => null);
    },
    deleteNote: (access, id, options) => remove(access, crmPaths.note(id), options),
  };
}
