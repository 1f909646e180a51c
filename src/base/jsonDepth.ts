/** No honest message nests deeper; code that walks values level by level must not run out of stack. */
export const maxLevels = 512;

const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** A few megabytes of brackets keep `JSON.parse` busy for seconds; reading the text once first does not. */
export function isTooDeep(text: string): boolean {
  if (text.length < 2 * maxLevels) {
    return false;
  }
  let depth = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === backslash) {
        index += 1;
      } else if (code === quote) {
        isInString = false;
      }
    } else if (code === quote) {
      isInString = true;
    } else if (code === openBracket || code === openBrace) {
      depth += 1;
      if (depth > maxLevels) {
        return true;
      }
    } else if (code === closeBracket || code === closeBrace) {
      depth -= 1;
    }
  }
  return false;
}

/** Of a value that is already there. Level by level and without recursion: the point is values that recursion does not survive. */
export function depthExceeds(value: unknown, limit: number): boolean {
  let level: unknown[] = [value];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > limit) {
      return true;
    }
    const next: unknown[] = [];
    for (const each of level) {
      if (typeof each === 'object' && each !== null) {
        for (const member of Object.values(each)) {
          if (typeof member === 'object' && member !== null) {
            next.push(member);
          }
        }
      }
    }
    level = next;
  }
  return false;
}

/** Whether a text is an array of more than `limit` items, seen without parsing it: a few megabytes of `1,1,…` are dear to parse. */
export function hasMoreItems(text: string, limit: number): boolean {
  if (!text.trimStart().startsWith('[')) {
    return false;
  }
  let depth = 0;
  let commas = 0;
  let isInString = false;
  for (let index = 0; index < text.length && commas < limit; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === backslash) {
        index += 1;
      } else if (code === quote) {
        isInString = false;
      }
    } else if (code === quote) {
      isInString = true;
    } else if (code === openBracket || code === openBrace) {
      depth += 1;
    } else if (code === closeBracket || code === closeBrace) {
      depth -= 1;
    } else if (code === comma && depth === 1) {
      commas += 1;
    }
  }
  return commas >= limit;
}

/** What a member of an object takes at least, of so many that their names differ. */
const leastMember = 6;

/** Whether an object anywhere in a text of JSON has more than `limit` members: even to list their names is dear, and cannot be left in the middle. */
export function hasLargeObject(text: string, limit: number): boolean {
  if (text.length < limit * leastMember) {
    return false;
  }
  const outer: number[] = [];
  let members = 0;
  let isInString = false;
  for (let index = 0; index < text.length && members <= limit && outer.length <= maxLevels; index += 1) {
    const code = text.charCodeAt(index);
    if (isInString) {
      if (code === backslash) {
        index += 1;
      } else if (code === quote) {
        isInString = false;
      }
    } else if (code === quote) {
      isInString = true;
    } else if (code === colon) {
      members += 1;
    } else if (code === openBrace) {
      outer.push(members);
      members = 0;
    } else if (code === closeBrace) {
      members = outer.pop() ?? 0;
    }
  }
  return members > limit || outer.length > maxLevels;
}
