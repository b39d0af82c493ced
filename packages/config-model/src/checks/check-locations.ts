import { locationsOf, watchedLocation } from '@sluice/sources';
import { problem, type Problem } from '../document/problem';
import type { ValidParts } from '../document/valid-parts';

export interface WatchableLocations {
  /** Folder of the organization; null: none may be watched. */
  folder: string | null;
  /** Bucket of the installation itself, which may not be watched; null: it has none. */
  ownBucket: string | null;
}

/** Places that file sources may not watch: whatever is neither below the folder of the organization nor an `s3://` prefix. */
export function* checkLocations({ sources, isSound }: ValidParts, watchable: WatchableLocations): Generator<Problem> {
  for (const { index, value } of sources) {
    const loc = ['sources', index, 'config'];
    if (!isSound(loc) || !isSound(['sources', index, 'type'])) continue;
    for (const { path, value: location } of locationsOf(value)) {
      const fault = faultOf(location, watchable);
      if (fault !== null) yield problem('location_invalid', [...loc, ...path], `'location' ${fault}`, location);
    }
  }
}

function faultOf(location: string, { folder, ownBucket }: WatchableLocations): string | null {
  // Any folder serves to tell prefixes from folders where none may be watched.
  const found = watchedLocation(location, folder ?? '/');
  if (found === null) {
    return 'must be a folder below that of the organization (<SLUICE_FILE_ROOT>/<organization id>), relative to it or absolute, or an '
      + 's3:// prefix';
  }
  if (found.kind === 's3') return found.bucket === ownBucket ? `names the bucket '${ownBucket}', which may not be watched` : null;
  return folder === null ? 'names a folder, and this installation watches no folders: its operator sets SLUICE_FILE_ROOT' : null;
}
