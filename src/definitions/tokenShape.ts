/** One word without a path, white space or anything a shell reads; and no `name.ext`, which may be a file that runs. */
export function isOpaque(text: string): boolean {
  return /^[\w~+][\w.~+=-]{0,4000}$/.test(text) && !/\.[a-z]\w{0,5}$/i.test(text);
}

/** Random text of a well-known issuer. Capitals, small letters and digits: words with hyphens have not all of them. */
const known = /^(gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{22,255}|glpat-[\w-]{20,255}|sk-[\w-]{20,255}|xox[a-z]-[\w-]{20,255})$/;
const webToken = /^eyJ[\w-]{10,2000}\.[\w-]{10,2000}\.[\w-]{10,2000}$/;
const accessKeyId = /^A[KS]IA(?=[A-Z]*\d)[A-Z0-9]{16}$/;
const minLength = 20;
const minDistinct = 10;
/** Of the steps from one character to the next, those into another class: about 0.6 in random text, below 0.4 in words. */
const minSteps = 0.45;

/**
 * Whether a text cannot reasonably be anything but a token. Where it is not certain it is none: a secret that its owner sees
 * on a question is the lesser evil, code that is not seen the greater.
 */
export function isToken(text: string): boolean {
  if (accessKeyId.test(text)) {
    return true;
  }
  if (!webToken.test(text) && !known.test(text) && !/^\w{20,4000}={0,2}$/.test(text)) {
    return false;
  }
  return text.split(/[-_.=]/).some(isRandom);
}

function isRandom(part: string): boolean {
  if (part.length < minLength || new Set(part).size < minDistinct) {
    return false;
  }
  const classes = Array.from(part, (character) => (/\d/.test(character) ? 'digit' : /[A-Z]/.test(character) ? 'capital' : 'small'));
  const steps = classes.filter((each, index) => index > 0 && each !== classes[index - 1]).length;
  return new Set(classes).size === 3 && steps / (part.length - 1) >= minSteps;
}
