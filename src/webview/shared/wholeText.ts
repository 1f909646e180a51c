import { revealInvisible } from '../../base/visibleText.ts';
import { t } from './localize.ts';

const maxBlankRun = 3;
const maxSpaceRun = 24;

/**
 * Text from a stranger, so that all of it is seen: invisible characters are named, and runs of empty lines or spaces that
 * would push the rest out of view are replaced by their count.
 */
export function wholeText(text: string): string {
  return revealInvisible(text)
    .replace(/\n(?:[ \t]*\n){4,}/g, (run) => {
      const empty = run.split('\n').length - 2;
      return empty > maxBlankRun ? `\n⟨${t('{0} empty lines', empty)}⟩\n` : run;
    })
    .replace(/[ \t\u00A0\u2000-\u200A\u3000]{25,}/g, (run) => (run.length > maxSpaceRun ? ` ⟨${t('{0} spaces', run.length)}⟩ ` : run));
}
