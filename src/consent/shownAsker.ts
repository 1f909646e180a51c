import { revealInvisible } from '../base/visibleText.ts';
import type { Asker } from '../contract/questions.ts';

/** As a question names it: the name of a model is a setting, and could be made of anything. */
export function shownAsker(asker: Asker): Asker {
  return asker.kind === 'model' ? { kind: 'model', name: revealInvisible(asker.name) } : asker;
}
