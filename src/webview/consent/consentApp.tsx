import type { JSX } from 'preact';
import type { Question } from '../../contract/questions.ts';
import type { PersonAnswer } from '../../contract/questions/answers.ts';
import { QuestionCard } from '../question/questionCard.tsx';
import { questionTitle } from '../question/questionTexts.ts';
import { plural } from '../shared/formats.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';

export const headingId = 'consent-heading';

export interface ConsentAppProps {
  /** Undefined until the host has answered `ready`. */
  readonly questions: readonly Question[] | undefined;
  readonly onAnswer: (answer: PersonAnswer, card: HTMLElement) => void;
}

export function ConsentApp({ questions, onAnswer }: ConsentAppProps): JSX.Element {
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
