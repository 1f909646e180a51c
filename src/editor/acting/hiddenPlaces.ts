import { hiddenCharacter } from '../../base/hiddenText.ts';

/** Whether anything between these places is withheld; of an empty range, whether it lies inside of what is. */
export function touchesHidden(shown: string, start: number, end: number): boolean {
  if (start === end) {
    return shown[start - 1] === hiddenCharacter && shown[start] === hiddenCharacter;
  }
  const at = shown.indexOf(hiddenCharacter, start);
  return at >= 0 && at < end;
}

/**
 * Whether `text` has what a client sees of another text, and something in each place that is withheld from it: a guess. It is told
 * by what the client sees alone, so that the answer is the same for a right one and a wrong one.
 */
export function isGuess(text: string, shown: string): boolean {
  if (text.length !== shown.length || !shown.includes(hiddenCharacter)) {
    return false;
  }
  let start = 0;
  while (start < shown.length) {
    const hidden = shown.indexOf(hiddenCharacter, start);
    const end = hidden < 0 ? shown.length : hidden;
    if (text.slice(start, end) !== shown.slice(start, end)) {
      return false;
    }
    start = end;
    while (shown[start] === hiddenCharacter) {
      start += 1;
    }
  }
  return true;
}
