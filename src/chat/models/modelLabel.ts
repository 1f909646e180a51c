import { revealInvisible } from '../../base/visibleText.ts';

/** More than anybody calls a model by. */
export const maxModelName = 200;

/** A name that an endpoint or another extension gave a model, as it is shown: on one line, with nothing hidden, and not endless. */
export function modelLabel(name: string): string {
  return revealInvisible(name.slice(0, maxModelName).replace(/\s+/g, ' ')).slice(0, maxModelName);
}
