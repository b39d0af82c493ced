import { configChanges, jsonPatch } from '@sluice/config-model';
import type { ConfigDocument } from '@sluice/contracts';

/** A published version; its config as JSON. */
interface VersionText {
  version: number;
  text: string;
}

/** The answer of a diff, as JSON, because a patch may be larger than both configs. */
export function diffVersionsJob({ from, to }: { from: VersionText; to: VersionText }): string {
  const [before, after] = [from, to].map(({ text }) => JSON.parse(text) as ConfigDocument) as [ConfigDocument, ConfigDocument];
  const [changes, patch] = [configChanges(before, after), jsonPatch(before, after)];
  return JSON.stringify({ from: from.version, to: to.version, changes, patch });
}
