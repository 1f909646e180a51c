/** The fewest codes in a row that count as a text: so many letters a copy must have anyway. */
const fewestCodes = 24;

const escapes = /\\u\{([0-9a-f]{1,6})\}|\\u([0-9a-f]{4})|\bU\+([0-9a-f]{4})\s?|\\x([0-9a-f]{2})|&#x([0-9a-f]{1,6});|&#(\d{1,7});/gi;
const decimals = /(?<!\d)(?:\d{2,3}[\s,;.:-]{1,2}){23,}\d{2,3}(?!\d)/g;
const bits = /(?<![01])(?:[01]{8}[\s,]{0,2}){24,}/g;

/**
 * Returns what a text could be if it is disguised in a way that everybody knows: as escapes of a programming language, entities of
 * HTML, numbers of letters, and, where `isOuter`, backwards or with letters moved by thirteen. Each expression reads the text in one pass.
 */
export function disguisesOf(text: string, isOuter: boolean): readonly string[] {
  if (text.length < fewestCodes) {
    return [];
  }
  const numbers = [...text.matchAll(decimals)].map(([run]) => textOfCodes((run.match(/\d+/g) ?? []).map(Number)));
  const binary = [...text.matchAll(bits)].map(([run]) =>
    textOfCodes((run.match(/[01]{8}/g) ?? []).map((each) => Number.parseInt(each, 2))),
  );
  const whole = isOuter ? [Array.from(text).reverse().join(''), movedByThirteen(text)] : [];
  return [withoutEscapes(text), ...numbers, ...binary, ...whole].filter((each) => each !== '' && each !== text);
}

/** Returns the text that a list of numbers stands for if each is the code of a letter; otherwise an empty one. */
export function textOfCodes(numbers: readonly unknown[]): string {
  const codes = numbers.filter((each) => typeof each === 'number' && Number.isInteger(each) && each > 0 && each <= 0x10ffff);
  return codes.length < fewestCodes || codes.length < numbers.length
    ? ''
    : codes.map((code) => String.fromCodePoint(code as number)).join('');
}

function withoutEscapes(text: string): string {
  return text.replace(escapes, (whole, ...found: readonly unknown[]) => {
    const groups = found.slice(0, 6) as readonly (string | undefined)[];
    const hex = groups.slice(0, 5).find((digits) => digits !== undefined);
    const code = hex === undefined ? Number(groups[5]) : Number.parseInt(hex, 16);
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Digits stay as they are in this disguise, and are found in the text itself. */
function movedByThirteen(text: string): string {
  return text.replace(/\d/g, ' ').replace(/[a-z]/gi, (letter) => {
    const first = letter <= 'Z' ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });
}
