import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { OtherTool } from '../../contract/questions/toolQuestions.ts';
import { Disclosure } from '../shared/disclosure.tsx';
import { plural } from '../shared/formats.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import type { AnswerDraft } from './answerDraft.ts';
import { claimsLine, refusedNote } from './questionTexts.ts';
import { ToolParameters } from './toolParameters.tsx';
import { endMark } from './useReading.ts';

interface AllToolsProps {
  readonly tools: readonly OtherTool[];
  /** How many are not among them. */
  readonly refused: number;
  readonly draft: Pick<AnswerDraft, 'isForAllTools' | 'setForAllTools'>;
}

/**
 * The answer can be meant for the whole server. The other tools are folded until then; ticked, they stand here whole and must have
 * been in view like everything else that a yes covers.
 */
export function AllTools({ tools, refused, draft }: AllToolsProps): JSX.Element {
  const id = useId();
  const names = tools.map(({ name }) => wholeText(name)).join(', ');
  return (
    <div class="section question-material">
      <div class="role">
        <input
          type="checkbox"
          id={id}
          checked={draft.isForAllTools}
          aria-describedby={`${id}-note`}
          onChange={(event) => draft.setForAllTools(event.currentTarget.checked)}
        />
        <label for={id}>{t('All tools of this server')}</label>
      </div>
      {draft.isForAllTools ? (
        <>
          <p id={`${id}-note`} class="secondary all-tools-note">
            {t(
              'A remembered answer is then for the tools below too, as they are now. New and changed ones ask again; “Always deny” covers them as well.',
            )}
            {refused > 0 && <> {refusedNote(refused)}</>}
          </p>
          <OtherTools tools={tools} />
          <div {...endMark} />
        </>
      ) : (
        <div id={`${id}-note`}>
          <Disclosure label={t('Other tools')} inside={`${countOf(tools)}: ${names}`}>
            <OtherTools tools={tools} />
          </Disclosure>
          {refused > 0 && <p class="secondary all-tools-note">{refusedNote(refused)}</p>}
        </div>
      )}
    </div>
  );
}

function countOf(tools: readonly OtherTool[]): string {
  return tools.length.toLocaleString('en');
}

function OtherTools({ tools }: { readonly tools: readonly OtherTool[] }): JSX.Element {
  const label = plural(
    tools.length,
    () => t('1 other tool of this server'),
    (count) => t('{0} other tools of this server', count),
  );
  return (
    <ul class="other-tools" aria-label={label}>
      {tools.map(({ name, title, description, claims, parameters }) => (
        <li key={name}>
          <p class="other-tool-name">{wholeText(name)}</p>
          {title !== undefined && title !== name && <p class="whole-text is-title">{wholeText(title)}</p>}
          <p class="whole-text">{description.trim() === '' ? t('The server gives no description.') : wholeText(description)}</p>
          {claims.length > 0 && <p class="claims">{claimsLine(claims)}</p>}
          <ToolParameters parameters={parameters} />
        </li>
      ))}
    </ul>
  );
}
