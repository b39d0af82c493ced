import type { ConfigDocument } from '@sluice/contracts';
import { apiError, HttpError, validationEntry } from '@sluice/service-kit';
import type { ChangedDraft } from './change-draft';

/** Lists of a config whose members have names. */
export type DraftPart = 'entities' | 'flows' | 'sources';

/** Replaces the part of that name, or is appended. A body with another name is refused. */
export function putPart(part: DraftPart, name: string, body: Record<string, unknown>): (config: ConfigDocument) => ChangedDraft {
  if (body.name !== undefined && body.name !== name) {
    const msg = `'name' must be the name in the path`;
    throw new HttpError(422, [validationEntry('body', ['name'], 'value_error', msg, body.name)]);
  }
  return (config) => {
    const list: { name: string }[] = config[part];
    const found = indexOf(config, part, name);
    const index = found < 0 ? list.length : found;
    return { config: { ...config, [part]: list.toSpliced(index, 1, { name, ...body }) }, bodyAt: [part, index] };
  };
}

/** Throws 404 when there is none of that name. */
export function removePart(part: DraftPart, name: string): (config: ConfigDocument) => ChangedDraft {
  return (config) => {
    const index = indexOf(config, part, name);
    if (index < 0) throw apiError('Not Found');
    return { config: { ...config, [part]: (config[part] as unknown[]).toSpliced(index, 1) }, bodyAt: [part, index] };
  };
}

/** Restores the part from the published config, or removes it when it is not published. Throws 404 when neither side has it. */
export function discardPart(
  part: DraftPart,
  name: string,
  published: ConfigDocument | null,
): (config: ConfigDocument) => ChangedDraft {
  const before = published ? indexOf(published, part, name) : -1;
  if (!published || before < 0) return removePart(part, name);
  return (config) => {
    const found = indexOf(config, part, name);
    const list: unknown[] = config[part];
    const index = found < 0 ? Math.min(before, list.length) : found;
    const changed = list.toSpliced(index, found < 0 ? 0 : 1, published[part][before]);
    return { config: { ...config, [part]: changed }, bodyAt: [part, index] };
  };
}

const indexOf = (config: ConfigDocument, part: DraftPart, name: string): number =>
  config[part].findIndex((one) => one.name === name);
