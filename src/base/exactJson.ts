/** Why a JSON text means something else than it says once it is read: of equal keys the last counts, and numbers are rounded. */
export type InexactJson = 'repeatedKey' | 'roundedNumber';

/** For text that is JSON. One pass; undefined when what is read is what is written. */
export function inexactJson(text: string): InexactJson | undefined {
  const open: (Set<string> | undefined)[] = [];
  let key: string | undefined;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\]:]|-?\d[\d.eE+-]*/g)) {
    if (token === '{' || token === '[') {
      open.push(token === '{' ? new Set() : undefined);
    } else if (token === '}' || token === ']') {
      open.pop();
    } else if (token === ':') {
      const keys = open.at(-1);
      if (key !== undefined && keys?.has(key) === true) {
        return 'repeatedKey';
      }
      keys?.add(key ?? '');
    } else if (token.startsWith('"')) {
      // Two ways to write it are one key.
      key = JSON.parse(token) as string;
    } else if (!isExactNumber(token)) {
      return 'roundedNumber';
    }
  }
  return undefined;
}

/** A number of JSON that is read as it is written. Digits behind a point are always rounded somewhere: those do not count. */
export function isExactNumber(text: string): boolean {
  const value = Number(text);
  if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text) || !Number.isFinite(value)) {
    return false;
  }
  return !/^-?\d+$/.test(text) || Number.isSafeInteger(value) || String(value) === text;
}
