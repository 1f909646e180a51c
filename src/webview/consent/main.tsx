// consent/: the page of open permission questions, for when the chat is not where they belong.
import type { consentToHost, consentToView } from '../../contract/consentMessages.ts';
import type { Question } from '../../contract/questions.ts';
import type { PersonAnswer } from '../../contract/questions/answers.ts';
import { openHostLink } from '../link/hostLink.ts';
import { FocusKeeper } from '../question/focusKeeper.ts';
import { ShowDefinitionContext } from '../question/showDefinition.ts';
import { loadBundle } from '../shared/localize.ts';
import { openPageRoot } from '../shared/pageRoot.tsx';
import { ConsentApp, headingId } from './consentApp.tsx';

function start(root: HTMLElement): void {
  loadBundle(document.getElementById('l10n')?.textContent);
  const link = openHostLink<typeof consentToHost, typeof consentToView>();
  // Whether the panel gets the focus at all is decided by the extension.
  const focus = new FocusKeeper({ home: () => document.getElementById(headingId) });
  const answer = (given: PersonAnswer, card: HTMLElement): void => {
    link.send('consent/answer', given);
    focus.afterAnswer(card);
  };
  const showDefinition = (askId: string): void => link.send('consent/show', { askId });
  const drawPage = openPageRoot(root);
  const draw = (questions: readonly Question[] | undefined): void => {
    drawPage(
      <ShowDefinitionContext.Provider value={showDefinition}>
        <ConsentApp questions={questions} onAnswer={answer} />
      </ShowDefinitionContext.Provider>,
    );
    focus.keep((questions ?? []).filter(({ takesFocus }) => takesFocus === true));
  };
  draw(undefined);
  link.listen((message) => draw(message.body.questions));
  link.send('ready', {});
}

const root = document.getElementById('root');
if (root !== null) {
  start(root);
}
