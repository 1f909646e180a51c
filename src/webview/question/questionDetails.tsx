import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { unreachable } from '../../base/errors.ts';
import type { CallToolQuestion, Question, StartServerQuestion } from '../../contract/questions.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { AnswerDraft } from './answerDraft.ts';
import { ClientActDetails, ConnectClientDetails } from './clientDetails.tsx';
import { claimsLine } from './questionTexts.ts';
import { ElicitationDetails, RootsDetails, SamplingDetails } from './serverRequestDetails.tsx';

export function QuestionDetails({ question, draft }: { readonly question: Question; readonly draft: AnswerDraft }): JSX.Element {
  const { detail } = question;
  switch (detail.kind) {
    case 'startServer':
      return <StartServerDetails detail={detail} />;
    case 'callTool':
      return <CallToolDetails detail={detail} draft={draft} />;
    case 'connectClient':
      return <ConnectClientDetails detail={detail} draft={draft} />;
    case 'clientAct':
      return <ClientActDetails detail={detail} />;
    case 'roots':
      return <RootsDetails detail={detail} />;
    case 'sampling':
      return <SamplingDetails detail={detail} />;
    case 'elicitation':
      return <ElicitationDetails detail={detail} form={draft.form} />;
    default:
      return unreachable(detail);
  }
}

/** Every field whole: nothing is cut, folded or scrolled out of view. */
function StartServerDetails({ detail }: { readonly detail: StartServerQuestion }): JSX.Element {
  return (
    <>
      <dl class="facts" aria-label={t('Definition')}>
        {detail.fields.map(({ name, value, isDangerous }, index) => (
          <div class={isDangerous ? 'fact is-dangerous' : 'fact'} key={index}>
            <dt>{wholeText(name)}</dt>
            <dd>
              <span class="fact-value">{wholeText(value)}</span>
              {isDangerous && (
                <span class="danger-mark">
                  <Icon name="warning" tone="warning" />
                  {t('Dangerous: can change what runs')}
                </span>
              )}
            </dd>
          </div>
        ))}
      </dl>
      {detail.disclosures.length > 0 && (
        <ul class="disclosures" aria-label={t('What it is given')}>
          {detail.disclosures.map(({ name, destination }, index) => (
            <li key={index}>
              <Icon name="key" />
              <span>{t('sends {0} to {1}', wholeText(name), wholeText(destination))}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

function CallToolDetails({ detail, draft }: { readonly detail: CallToolQuestion; readonly draft: AnswerDraft }): JSX.Element {
  const id = useId();
  return (
    <>
      <div class="section">
        <label class="section-label" for={`${id}-arguments`}>
          {t('Arguments')}
        </label>
        <textarea
          id={`${id}-arguments`}
          class="input code-input"
          spellcheck={false}
          autocomplete="off"
          rows={Math.min(8, draft.argumentsText.split('\n').length)}
          value={draft.argumentsText}
          aria-invalid={draft.problem !== undefined}
          aria-describedby={`${id}-problem`}
          onInput={(event) => draft.setArgumentsText(event.currentTarget.value)}
        />
        <div id={`${id}-problem`} class="field-problem" aria-live="polite">
          {draft.problem !== undefined && (
            <>
              <Icon name="error" tone="error" />
              {draft.problem}
            </>
          )}
        </div>
      </div>
      <div class="section">
        <div class="section-label">{t('Description')}</div>
        {detail.title !== undefined && <p class="whole-text is-title">{wholeText(detail.title)}</p>}
        <p class="whole-text">{detail.description.trim() === '' ? t('The server gives no description.') : wholeText(detail.description)}</p>
        {detail.claims.length > 0 && <p class="claims">{claimsLine(detail.claims)}</p>}
      </div>
    </>
  );
}
