import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import { revealInvisible } from '../../../base/visibleText.ts';
import type { CallToolQuestion, OtherTool, ToolParameter } from '../../../contract/questions/toolQuestions.ts';
import { ArgumentsAsJson, DraftForm } from '../../forms/argumentsEditor.tsx';
import { Disclosure } from '../../shared/elements.tsx';
import { formatNumber, plural } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';
import type { AnswerDraft } from '../answerDraft.ts';
import { carriedRemark } from './knowledgeTexts.ts';
import { claimsLine, refusedNote } from './questionTexts.ts';
import { endMark } from '../reading.tsx';

interface CallToolDetailsProps {
  readonly detail: CallToolQuestion;
  readonly draft: AnswerDraft;
  /** Whether the person has read exactly this definition before. */
  readonly isRead: boolean;
}

/** What must be seen of a call before it is allowed: its arguments, and a definition that is new. */
export function CallToolDetails({ detail, draft, isRead }: CallToolDetailsProps): JSX.Element {
  return (
    <>
      <div class="section" role="group" aria-label={t('Arguments')}>
        {detail.form === undefined ? (
          <ArgumentsAsJson draft={draft.args} />
        ) : (
          <DraftForm draft={draft.args} form={detail.form} remarkAt={(path) => carriedRemark(detail.knows, revealInvisible(path))} />
        )}
      </div>
      {detail.reads === undefined && !isRead && <NewDefinition detail={detail} />}
    </>
  );
}

/** What can be looked up about a call, one click away. */
export function CallToolFolds({ detail, draft, isRead }: CallToolDetailsProps): JSX.Element {
  const { otherTools = [] } = detail;
  return (
    <>
      {detail.form !== undefined && (
        <Disclosure label={t('JSON')} inside={t('the arguments as they are sent')}>
          <ArgumentsAsJson draft={draft.args} />
        </Disclosure>
      )}
      {detail.reads === undefined && isRead && (
        <Disclosure label={t('Description')} inside={readBefore(wholeText(detail.description))}>
          <Description detail={detail} />
        </Disclosure>
      )}
      <ToolParameters parameters={detail.parameters ?? []} />
      {otherTools.length > 0 && <AllTools tools={otherTools} refused={detail.refusedTools ?? 0} draft={draft} />}
    </>
  );
}

function Description({ detail }: { readonly detail: CallToolQuestion }): JSX.Element {
  return (
    <>
      {detail.title !== undefined && <p class="whole-text is-title">{wholeText(detail.title)}</p>}
      <p class="whole-text">{descriptionOf(detail)}</p>
    </>
  );
}

/** All words of a definition that nobody has read yet: of the tool, and of each parameter. Types and limits are one click away. */
function NewDefinition({ detail }: { readonly detail: CallToolQuestion }): JSX.Element {
  const { title, parameters = [] } = detail;
  const described = parameters.filter(({ description }) => description.trim() !== '');
  const hidden = parameters.at(-1)?.hidden;
  return (
    <div class="definition">
      <p class="whole-text">
        <span class="definition-label">{t('Description')}</span>
        {title !== undefined && <strong>{wholeText(title)} </strong>}
        {descriptionOf(detail)}
      </p>
      {described.length > 0 && (
        <p class="whole-text">
          {described.map(({ name, description }, index) => (
            <span class="definition-parameter" key={index}>
              <code>{wholeText(name)}</code> {wholeText(description)}{' '}
            </span>
          ))}
        </p>
      )}
      {hidden !== undefined && <p>{hiddenLine(hidden)}</p>}
    </div>
  );
}

function descriptionOf({ description }: Pick<CallToolQuestion, 'description'>): string {
  return description.trim() === '' ? t('The server gives no description.') : wholeText(description);
}

function readBefore(text: string): string {
  return plural(
    text.split('\n').length,
    () => t('read before, 1 line'),
    (count) => t('read before, {0} lines', count),
  );
}

interface AllToolsProps {
  readonly tools: readonly OtherTool[];
  /** How many tools of the server are missing from the list because they are refused. */
  readonly refused: number;
  readonly draft: Pick<AnswerDraft, 'isForAllTools' | 'setForAllTools'>;
}

/**
 * Lets the answer be meant for the whole server. The other tools are folded until the box is ticked; then they are shown whole
 * and must have been in view, like everything else that a yes covers.
 */
function AllTools({ tools, refused, draft }: AllToolsProps): JSX.Element {
  const id = useId();
  return (
    <>
      {!draft.isForAllTools && (
        <Disclosure label={t('Other tools')} inside={`${countOf(tools)}: ${tools.map(({ name }) => wholeText(name)).join(', ')}`}>
          <OtherTools tools={tools} />
        </Disclosure>
      )}
      <div class="section question-material all-tools">
        <div class="role">
          <input
            type="checkbox"
            id={id}
            checked={draft.isForAllTools}
            aria-describedby={draft.isForAllTools ? `${id}-note` : undefined}
            onChange={(event) => draft.setForAllTools(event.currentTarget.checked)}
          />
          <label for={id}>{t('All tools of this server')}</label>
        </div>
        {draft.isForAllTools && (
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
        )}
      </div>
    </>
  );
}

function countOf(tools: readonly OtherTool[]): string {
  return formatNumber(tools.length);
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
          <p class="whole-text">{descriptionOf({ description })}</p>
          {claims.length > 0 && <p class="claims">{claimsLine(claims)}</p>}
          <ToolParameters parameters={parameters} />
        </li>
      ))}
    </ul>
  );
}

/** The parameters of the tool as the model was told, one click away. */
function ToolParameters({ parameters }: { readonly parameters: readonly ToolParameter[] }): JSX.Element | null {
  if (parameters.length === 0) {
    return null;
  }
  const hidden = parameters.at(-1)?.hidden;
  return (
    <Disclosure
      label={t('Parameters')}
      inside={plural(
        parameters.length + (hidden?.parameters ?? 0),
        () => t('1, as the model was told'),
        (count) => t('{0}, as the model was told', count),
      )}
    >
      <dl class="facts" aria-label={t('Parameters')}>
        {parameters.map((parameter, index) => (
          <div class="fact" key={index}>
            <dt>{wholeText(parameter.name)}</dt>
            <dd class="is-words">
              {parameterLines(parameter).map((line, position) => (
                <span class="fact-value" key={position}>
                  {line}
                </span>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      {hidden !== undefined && <p class="secondary">{hiddenLine(hidden)}</p>}
    </Disclosure>
  );
}

/** Says how much is not listed here, although the model was told all of it. */
function hiddenLine({ parameters, characters }: NonNullable<ToolParameter['hidden']>): string {
  const size = formatNumber(characters);
  return plural(
    parameters,
    () => t('Not listed here, though the model was told: 1 more parameter, {0} characters in all.', size),
    (count) => t('Not listed here, though the model was told: {0} more parameters, {1} characters in all.', count, size),
  );
}

function parameterLines({ type, isRequired, description, values, default: given, limits, isCut }: ToolParameter): readonly string[] {
  const kind = [type === '' ? t('any value') : wholeText(type), ...limits, ...(isRequired ? [t('required')] : [])].join(', ');
  return [
    kind,
    ...(description.trim() === '' ? [] : [wholeText(description)]),
    ...(values.length === 0 ? [] : [t('One of: {0}', values.map(wholeText).join(', '))]),
    ...(given === undefined ? [] : [t('Default: {0}', wholeText(given))]),
    ...(isCut ? [t('More is inside than is listed here.')] : []),
  ];
}
