/** No honest message nests deeper; code that walks values level by level must not run out of stack. */
export const mostLevels = 512;

const quote = 0x22;
const backslash = 0x5c;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** A few megabytes of brackets keep `JSON.parse` busy for seconds; reading the text once first does not. */
export function isTooDeep(text: string): boolean {
  if (text.length < 2 * mostLevels) {
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
      if (depth > mostLevels) {
        return true;
      }
    } else if (code === closeBracket || code === closeBrace) {
      depth -= 1;
    }
  }
  return false;
}
