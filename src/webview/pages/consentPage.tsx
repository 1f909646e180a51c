// pages/: the small pages, a file each: the audit log, permission questions, the Doctor and remembered answers.
import type { JSX } from 'preact';
import type { consentToHost, consentToView, PersonAnswer, Question } from '../../contract/questions/questions.ts';
import { FocusKeeper } from '../shared/focusKeeper.ts';
import { QuestionCard } from '../question/questionCard.tsx';
import { questionTitle } from '../question/details/questionTexts.ts';
import { Icon } from '../shared/elements.tsx';
import { plural } from '../shared/formats.ts';
import { openHostLink } from '../shared/hostLink.ts';
import { loadBundle, t } from '../shared/localize.ts';
import { openPageRoot } from '../shared/page.tsx';
import { ShowDefinitionContext } from '../shared/pageActions.tsx';

const headingId = 'consent-heading';

export interface ConsentAppProps {
  /** The open questions; undefined until the host has answered `ready`. */
  readonly questions: readonly Question[] | undefined;
  readonly onAnswer: (answer: PersonAnswer, card: HTMLElement) => void;
}

function ConsentApp({ questions, onAnswer }: ConsentAppProps): JSX.Element {
  const generation = questions?.map(({ askId }) => askId).join('\n') ?? '';
  const newest = questions?.at(-1);
  return (
    <main class="consent">
      <h1 id={headingId} tabIndex={-1}>
        {t('Permissions')}
      </h1>
      <p class="secondary" role="status">
        {questions === undefined || questions.length === 0
          ? ''
          : plural(
              questions.length,
              () => t('1 question is waiting for your decision.'),
              (count) => t('{0} questions are waiting for your decision.', count),
            )}
      </p>
      <div class="screen-reader-only" role="alert">
        {newest === undefined ? '' : t('A permission question is waiting for you: {0}.', questionTitle(newest))}
      </div>
      {questions?.length === 0 && (
        <div class="consent-empty secondary">
          <Icon name="pass" />
          <p>{t('Nothing is waiting for your decision.')}</p>
        </div>
      )}
      {questions?.map((question) => (
        <QuestionCard key={question.askId} question={question} from="panel" generation={generation} onAnswer={onAnswer} />
      ))}
    </main>
  );
}

function start(root: HTMLElement): void {
  loadBundle(document.getElementById('l10n')?.textContent, document.documentElement.lang);
  const link = openHostLink<typeof consentToHost, typeof consentToView>();
  // The extension decides whether the panel gets the focus at all.
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
