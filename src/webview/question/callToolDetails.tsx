import type { JSX } from 'preact';
import { revealInvisible } from '../../base/visibleText.ts';
import type { CallToolQuestion } from '../../contract/questions/toolQuestions.ts';
import { Disclosure } from '../shared/disclosure.tsx';
import { plural } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import { ArgumentsEditor } from '../arguments/argumentsEditor.tsx';
import type { AnswerDraft } from './answerDraft.ts';
import { KnownLines } from './knownLines.tsx';
import { carriedRemark, knownLines } from './knowledgeTexts.ts';
import { ToolParameters } from './toolParameters.tsx';

interface CallToolDetailsProps {
  readonly detail: CallToolQuestion;
  readonly draft: AnswerDraft;
  /** The person has read this very description before. */
  readonly isRead: boolean;
  /** The server has changed the tool since it was last allowed. */
  readonly hasChanged: boolean;
}

export function CallToolDetails({ detail, draft, isRead, hasChanged }: CallToolDetailsProps): JSX.Element {
  const description = wholeText(detail.description);
  return (
    <>
      <ArgumentsEditor draft={draft.args} form={detail.form} remarkAt={(path) => carriedRemark(detail.knows, revealInvisible(path))} />
      <KnownLines lines={knownLines(detail, hasChanged, draft.args.isChanged)} />
      {isRead ? (
        <Disclosure label={t('Description')} inside={linesOf(description)}>
          <Description detail={detail} />
        </Disclosure>
      ) : (
        <div class="section">
          <div class="section-label">{t('Description')}</div>
          <Description detail={detail} />
        </div>
      )}
      <ToolParameters parameters={detail.parameters ?? []} />
    </>
  );
}

function Description({ detail }: { readonly detail: CallToolQuestion }): JSX.Element {
  return (
    <>
      {detail.title !== undefined && <p class="whole-text is-title">{wholeText(detail.title)}</p>}
      <p class="whole-text">{detail.description.trim() === '' ? t('The server gives no description.') : wholeText(detail.description)}</p>
    </>
  );
}

function linesOf(text: string): string {
  return plural(
    text.split('\n').length,
    () => t('read before, 1 line'),
    (count) => t('read before, {0} lines', count),
  );
}
