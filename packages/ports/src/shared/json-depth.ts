const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Whether lists and objects in a JSON text are nested more than `most` deep, told without parsing it. Most texts have fewer
 * openings than that, which is found out a hundred times as fast as their depth.
 */
export function isNestedDeeper(text: string, most: number): boolean {
  if (openings(text, most) <= most) return false;
  let depth = 0;
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === quote) place = endOfText(text, place + 1);
    else if (code === openList || code === openObject) {
      depth += 1;
      if (depth > most) return true;
    } else if (code === closeList || code === closeObject) depth -= 1;
  }
  return false;
}

/** Where the text that begins before `from` ends. */
function endOfText(text: string, from: number): number {
  let place = from;
  for (; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (code === quote) break;
    if (code === backslash) place += 1;
  }
  return place;
}

/** Characters that may open a list or an object; not counted on beyond `most` + 1. */
function openings(text: string, most: number): number {
  let count = 0;
  for (const opening of ['[', '{'])
    for (let at = text.indexOf(opening); at !== -1 && count <= most; at = text.indexOf(opening, at + 1)) count += 1;
  return count;
}
