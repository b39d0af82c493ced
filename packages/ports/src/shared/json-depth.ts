const [quote, backslash, openList, closeList, openObject, closeObject] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** How deep lists and objects are nested in a JSON text, counted without parsing it. */
export function jsonDepth(text: string): number {
  let [depth, deepest, isInText] = [0, 0, false];
  for (let place = 0; place < text.length; place += 1) {
    const code = text.charCodeAt(place);
    if (isInText) {
      if (code === backslash) place += 1;
      else if (code === quote) isInText = false;
    } else if (code === quote) isInText = true;
    else if (code === openList || code === openObject) deepest = Math.max(deepest, (depth += 1));
    else if (code === closeList || code === closeObject) depth -= 1;
  }
  return deepest;
}
