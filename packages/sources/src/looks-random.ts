/** Characters of a run that is judged, and what makes it look random. */
const least = { length: 20, digits: 3, changes: 0.2 };

/**
 * Whether a text holds a run of characters that nobody would write: a key or a token, as hexadecimal, base64 or a UUID. Words,
 * dates, versions and media types are none.
 */
export function looksRandom(text: string): boolean {
  const runs = text.match(/[A-Za-z0-9_~+/=-]+/g) ?? [];
  return runs.some((run) => {
    const { length } = run;
    return length >= least.length && digitsOf(run) >= least.digits && changesOf(run) >= least.changes * length;
  });
}

const digitsOf = (run: string): number => run.replaceAll(/\D/g, '').length;

/** How often neighbours are of different kinds: capital, small letter, digit. */
function changesOf(run: string): number {
  const kinds = [...run].map(kindOf);
  return kinds.filter((kind, at) => at > 0 && kind !== null && kinds[at - 1] !== null && kind !== kinds[at - 1]).length;
}

function kindOf(character: string): 'digit' | 'capital' | 'small' | null {
  if (/\d/.test(character)) return 'digit';
  if (/[A-Z]/.test(character)) return 'capital';
  return /[a-z]/.test(character) ? 'small' : null;
}
