import { locationsOf, watchedLocation } from '@sluice/sources';
import { problem, type Problem } from '../document/problem';
import type { ValidParts } from '../document/valid-parts';

/** Places that file sources may not watch: whatever is not below the folder of the organization, and no `s3://` prefix. */
export function* checkLocations({ sources, isSound }: ValidParts, folder: string | null): Generator<Problem> {
  for (const { index, value } of sources) {
    const loc = ['sources', index, 'config'];
    if (!isSound(loc) || !isSound(['sources', index, 'type'])) continue;
    for (const { path, value: location } of locationsOf(value)) {
      // Any folder serves to tell prefixes from folders where none may be watched.
      const found = watchedLocation(location, folder ?? '/');
      const msg =
        found === null
          ? `'location' must be a folder below that of the organization (<SLUICE_FILE_ROOT>/<organization id>), relative to it or ` +
            'absolute, or an s3:// prefix'
          : folder === null && found.kind === 'folder'
            ? `'location' names a folder, and this installation watches no folders: its operator sets SLUICE_FILE_ROOT`
            : null;
      if (msg !== null) yield problem('location_invalid', [...loc, ...path], msg, location);
    }
  }
}
