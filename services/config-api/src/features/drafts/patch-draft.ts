import { configRoutes } from '@sluice/contracts';
import { apiError, HttpError, type HttpRoute, implementRoute, validationEntry } from '@sluice/service-kit';
import type { DraftDeps } from './deps';
import { readDraft, writeDraft } from './draft-answer';
import { findConnector } from '../../http/find-connector';
import { mergePatch } from './merge-patch';

/** Times a patch without `expected_version` is merged again because somebody else wrote in between. */
const maxMerges = 5;

export function patchDraft(deps: DraftDeps): HttpRoute {
  return implementRoute(configRoutes.patchDraft, {
    authenticate: deps.authenticate,
    handler: async ({ body, params, principal }) => {
      const { patch, expectedVersion } = readPatch(body);
      const { id } = await findConnector(deps, principal, params.connector_id);
      for (let merges = 1; ; merges += 1) {
        const draft = await readDraft(deps, id);
        if (expectedVersion !== undefined && expectedVersion !== draft.draftVersion) {
          throw apiError('draft_version_conflict', { expected_version: expectedVersion, draft_version: draft.draftVersion });
        }
        try {
          const config = mergePatch(draft.config, patch);
          return { status: 200, body: await writeDraft(deps, principal, id, { config, expectedVersion: draft.draftVersion }) };
        } catch (error) {
          const moved = error instanceof HttpError && error.status === 409 && expectedVersion === undefined;
          if (!moved || merges === maxMerges) throw error;
        }
      }
    },
  });
}

/** The patch is the body itself; under the key `patch` in the older form. */
function readPatch({ expected_version: expectedVersion, ...rest }: Record<string, unknown>): {
  patch: unknown;
  expectedVersion: number | undefined;
} {
  if (expectedVersion !== undefined && !Number.isSafeInteger(expectedVersion)) {
    throw new HttpError(422, [
      validationEntry('body', ['expected_version'], 'int_type', 'Must be a whole number', expectedVersion),
    ]);
  }
  const wrapped = Object.keys(rest).length === 1 && typeof rest.patch === 'object' && rest.patch !== null;
  return { patch: wrapped ? rest.patch : rest, expectedVersion: expectedVersion as number | undefined };
}
