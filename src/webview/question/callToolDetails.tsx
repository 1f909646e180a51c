import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import type { CallToolQuestion } from '../../contract/questions.ts';
import { Disclosure } from '../shared/disclosure.tsx';
import { plural } from '../shared/formats.ts';
import { Icon } from '../shared/icon.tsx';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { AnswerDraft } from './answerDraft.ts';
import { ToolParameters } from './toolParameters.tsx';
import { claimsLine } from './questionTexts.ts';

interface CallToolDetailsProps {
  readonly detail: CallToolQuestion;
  readonly draft: AnswerDraft;
  /** The person has read this very description before. */
  readonly isRead: boolean;
}

export function CallToolDetails({ detail, draft, isRead }: CallToolDetailsProps): JSX.Element {
  const description = wholeText(detail.description);
  return (
    <>
      <Arguments draft={draft} />
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

/**
 * Editable in place. Text with long runs of white space is shown with those counted, and edited only on request: in an
 * editable field they could be nothing but empty room.
 */
function Arguments({ draft }: { readonly draft: AnswerDraft }): JSX.Element {
  const id = useId();
  const [isEditing, setEditing] = useState(false);
  const whole = wholeText(draft.argumentsText);
  const edit = (): void => {
    setEditing(true);
    // The button is gone then, and the focus must not be.
    requestAnimationFrame(() => document.getElementById(`${id}-arguments`)?.focus());
  };
  const isAsIs = isEditing || whole === draft.argumentsText;
  return (
    <div class="section">
      <label class="section-label" for={`${id}-arguments`}>
        {t('Arguments')}
      </label>
      {isAsIs ? (
        <textarea
          id={`${id}-arguments`}
          class="input code-input"
          spellcheck={false}
          autocomplete="off"
          rows={draft.argumentsText.split('\n').length}
          value={draft.argumentsText}
          aria-invalid={draft.problem !== undefined}
          aria-describedby={`${id}-problem`}
          onInput={(event) => {
            setEditing(true);
            draft.setArgumentsText(event.currentTarget.value);
          }}
        />
      ) : (
        <>
          <pre id={`${id}-arguments`} class="act-text" tabIndex={0} role="region" aria-label={t('Arguments')}>
            {whole}
          </pre>
          <button type="button" class="button is-quiet edit-arguments" onClick={edit}>
            {t('Edit arguments')}
          </button>
        </>
      )}
      <div id={`${id}-problem`} class="field-problem" aria-live="polite">
        {draft.problem !== undefined && (
          <>
            <Icon name="error" tone="error" />
            {draft.problem}
          </>
        )}
      </div>
    </div>
  );
}

function Description({ detail }: { readonly detail: CallToolQuestion }): JSX.Element {
  return (
    <>
      {detail.title !== undefined && <p class="whole-text is-title">{wholeText(detail.title)}</p>}
      <p class="whole-text">{detail.description.trim() === '' ? t('The server gives no description.') : wholeText(detail.description)}</p>
      {detail.claims.length > 0 && <p class="claims">{claimsLine(detail.claims)}</p>}
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
