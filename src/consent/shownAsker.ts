import { revealInvisible } from '../base/visibleText.ts';
import type { Asker } from '../contract/questions/asker.ts';

/** As a question names it: the name of a model or of a task is written somewhere, and could be made of anything. */
export function shownAsker(asker: Asker): Asker {
  return 'name' in asker ? { ...asker, name: revealInvisible(asker.name) } : asker;
}
