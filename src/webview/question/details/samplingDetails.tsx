import type { JSX } from 'preact';
import { useId } from 'preact/hooks';
import type { SamplingQuestion, SamplingResponseQuestion } from '../../../contract/questions/samplingQuestions.ts';
import { formatBytes, formatNumber, plural } from '../../shared/formats.ts';
import { Icon, Problem } from '../../shared/elements.tsx';
import { t } from '../../shared/localize.ts';
import { wholeText } from '../../shared/wholeText.ts';
import { editableParts, withEntry, type Remembered, type SamplingDraft } from './samplingDraft.ts';
import { EditableText, SamplingParts, SamplingTools } from './samplingParts.tsx';
import { endMark } from '../reading.tsx';
import { budgetLine, costLine, requestFacts, stopWords } from './samplingTexts.ts';

interface SamplingProps {
  readonly detail: SamplingQuestion;
  readonly draft: SamplingDraft;
}

/** A server's request for the model (MCP's sampling), whole. Its texts can be changed, its images and tools left out. */
export function SamplingDetails({ detail, draft }: SamplingProps): JSX.Element {
  return (
    <>
      {detail.budget.isExceeded && (
        <p class="danger-mark">
          <Icon name="warning" tone="warning" />
          {t('This goes beyond the budget of this server: {0}.', budgetLine(detail.budget))}
        </p>
      )}
      <EditableText
        label={t('System prompt')}
        heading={t('System prompt')}
        value={draft.values.systemPrompt}
        onChange={(systemPrompt) => draft.set({ systemPrompt })}
        original={detail.systemPrompt}
      />
      <Messages detail={detail} draft={draft} />
      {detail.tools.length > 0 && <SamplingTools detail={detail} draft={draft} />}
      {detail.context !== undefined && <Context context={detail.context} draft={draft} />}
      <ModelAndLength detail={detail} draft={draft} />
      <StopSequences detail={detail} draft={draft} />
      <Facts rows={requestFacts(detail)} label={t('Request')} />
      <p class="secondary" aria-live="polite">
        {costLine(detail, draft.values)}
      </p>
      <Remember detail={detail} draft={draft} />
      <Budget detail={detail} draft={draft} />
      <Problem text={draft.problem} />
    </>
  );
}

/** What the model answered, before the server sees it. */
export function SamplingResponseDetails({
  detail,
  draft,
}: {
  readonly detail: SamplingResponseQuestion;
  readonly draft: SamplingDraft;
}): JSX.Element {
  const { inputTokens, outputTokens } = detail.usage;
  const count = editableParts(detail).filter(({ kind }) => kind === 'text').length;
  const rows: readonly (readonly [string, string])[] = [
    [t('Model'), wholeText(detail.model)],
    [t('Ended'), stopWords(detail.stopReason)],
    [t('Used'), t('{0} tokens in, {1} out', formatNumber(inputTokens), formatNumber(outputTokens))],
  ];
  return (
    <>
      <div class="section sampling-message">
        <div class="section-label" aria-hidden="true">
          {t('Response')}
        </div>
        <SamplingParts parts={detail.parts} firstText={0} firstImage={0} draft={draft} name={namesOf(detail, t('Response'), count)} />
      </div>
      <Facts rows={rows} label={t('Answer')} />
      <Problem text={draft.problem} />
    </>
  );
}

/** Names the text boxes: the first has the plain name, the others say which they are. */
function namesOf(detail: SamplingQuestion | SamplingResponseQuestion, name: string, count: number): (text: number) => string {
  const kinds = editableParts(detail).map(({ kind }) => kind);
  return (text) => {
    const place = kinds.slice(0, text + 1).filter((kind) => kind === 'text').length;
    return place <= 1 ? name : t('{0}, {1} of {2}', name, place, count);
  };
}

function Messages({ detail, draft }: SamplingProps): JSX.Element {
  const count = editableParts(detail).filter(({ kind }) => kind === 'text').length;
  let firstText = 0;
  let firstImage = 0;
  return (
    <div class="section sampling-messages" role="group" aria-label={t('Conversation of the request')}>
      <div class="section-label" aria-hidden="true">
        {t('Messages')}
      </div>
      {detail.messages.map(({ role, parts }, index) => {
        const [text, image] = [firstText, firstImage];
        firstImage += parts.filter(({ kind }) => kind === 'image').length;
        firstText += parts.filter(({ kind }) => kind === 'text' || kind === 'toolUse').length;
        return (
          <div class="sampling-message" key={index}>
            <div class="secondary">{role === 'user' ? t('User') : t('Assistant')}</div>
            <SamplingParts parts={parts} firstText={text} firstImage={image} draft={draft} name={namesOf(detail, t('Messages'), count)} />
          </div>
        );
      })}
    </div>
  );
}

interface ContextProps {
  readonly context: NonNullable<SamplingQuestion['context']>;
  readonly draft: SamplingDraft;
}

function Context({ context, draft }: ContextProps): JSX.Element {
  const id = useId();
  const { usesContext, context: text } = draft.values;
  const size = formatBytes(new TextEncoder().encode(context.text).length);
  return (
    <div class="section question-material">
      <div class="role">
        <input
          type="checkbox"
          id={id}
          checked={usesContext}
          aria-describedby={`${id}-meaning`}
          onChange={(event) => draft.set({ usesContext: event.currentTarget.checked })}
        />
        <div>
          <label for={id}>{t('Add this server’s own results')}</label>
          <div class="secondary" id={`${id}-meaning`}>
            {plural(
              context.results,
              () => t('It asks for 1 result of its tools in this conversation ({0}). Nothing else of it goes along.', size),
              (count) => t('It asks for {0} results of its tools in this conversation ({1}). Nothing else of it goes along.', count, size),
            )}
          </div>
        </div>
      </div>
      {usesContext && (
        <>
          <EditableText
            label={t('Results to add')}
            value={text}
            onChange={(changed) => draft.set({ context: changed })}
            original={context}
          />
          <div {...endMark} />
        </>
      )}
    </div>
  );
}

function ModelAndLength({ detail, draft }: SamplingProps): JSX.Element {
  const { cap, asked } = detail.maxTokens;
  const chosen = {
    hint: t('Chosen by a hint of the server.'),
    priorities: t('Chosen by the priorities of the server.'),
    chat: t('The model of your chat.'),
  };
  const isPlanned = draft.values.model.trim() === detail.model;
  const by = isPlanned ? chosen[detail.chosenBy] : t('Chosen by you.');
  // All models at an address belong to the same provider; a model of VS Code says by its name whose it is.
  const isKnown = isPlanned || URL.canParse(detail.destination);
  return (
    <div class="sampling-pair">
      <Field
        label={t('Model')}
        value={draft.values.model}
        onChange={(model) => draft.set({ model })}
        suggestions={detail.models}
        placeholder={t('the first that your provider lists')}
        note={isKnown ? t('{0} It goes to {1}.', by, destinationName(detail.destination)) : by}
      />
      <Field
        label={t('Longest answer, in tokens')}
        value={draft.values.maxTokens}
        onChange={(maxTokens) => draft.set({ maxTokens })}
        isNumber
        note={
          asked === undefined
            ? t('At most {0}, by your settings.', formatNumber(cap))
            : t('The server asked for {0}; your settings allow {1}.', formatNumber(asked), formatNumber(cap))
        }
      />
    </div>
  );
}

/** The name of a destination: its host, or the whole address where everybody on the way could read along. */
function destinationName(destination: string): string {
  return URL.canParse(destination) && destination.startsWith('https:') ? new URL(destination).host : destination;
}

/** The stop sequences of the request; one that is emptied is left out. */
function StopSequences({ detail, draft }: SamplingProps): JSX.Element | null {
  const { stopSequences } = draft.values;
  return detail.stopSequences.length === 0 ? null : (
    <div class="section" role="group" aria-label={t('Stop sequences')}>
      <div class="section-label">{t('Stops before')}</div>
      {detail.stopSequences.map((original, index) => (
        <EditableText
          key={index}
          label={t('Stop sequence {0}', index + 1)}
          value={stopSequences[index] ?? ''}
          onChange={(text) => draft.set({ stopSequences: withEntry(stopSequences, index, text) })}
          original={original}
        />
      ))}
      <div class="secondary">{t('The answer ends where the model would write one of these. One that you empty is left out.')}</div>
    </div>
  );
}

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly note?: string | undefined;
  readonly placeholder?: string | undefined;
  /** Values to choose from; anything else may be typed too. */
  readonly suggestions?: readonly string[] | undefined;
  readonly isNumber?: boolean | undefined;
}

function Field({ label, value, onChange, note, placeholder, suggestions, isNumber = false }: FieldProps): JSX.Element {
  const id = useId();
  return (
    <div class="section">
      <label class="section-label" for={id}>
        {label}
      </label>
      <input
        id={id}
        class="input"
        type="text"
        autocomplete="off"
        spellcheck={false}
        value={value}
        {...(isNumber && { inputMode: 'numeric' as const })}
        {...(placeholder !== undefined && { placeholder })}
        {...(suggestions !== undefined && { list: `${id}-list` })}
        {...(note !== undefined && { 'aria-describedby': `${id}-note` })}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>
          {suggestions.map((each) => (
            <option key={each} value={each} />
          ))}
        </datalist>
      )}
      {note !== undefined && (
        <div id={`${id}-note`} class="secondary">
          {note}
        </div>
      )}
    </div>
  );
}

function Facts({ rows, label }: { readonly rows: readonly (readonly [string, string])[]; readonly label: string }): JSX.Element | null {
  return rows.length === 0 ? null : (
    <dl class="facts" aria-label={label}>
      {rows.map(([name, value]) => (
        <div class="fact" key={name}>
          <dt>{name}</dt>
          <dd class="is-words">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

function Remember({ detail, draft }: SamplingProps): JSX.Element {
  const id = useId();
  const { remember, model } = draft.values;
  const labels: readonly (readonly [Remembered, string])[] = [
    ['once', t('Once')],
    ['session', t('This session')],
    ['workspace', t('This workspace')],
  ];
  const answering = model.trim() === '' ? t('the first that your provider lists') : wholeText(model);
  return (
    <div class="section" role="radiogroup" aria-labelledby={`${id}-label`} aria-describedby={`${id}-meaning`}>
      <div class="section-label" id={`${id}-label`}>
        {t('Remember')}
      </div>
      <div class="sampling-scopes">
        {labels.map(([scope, label]) => (
          <div class="role" key={scope}>
            <input
              type="radio"
              id={`${id}-${scope}`}
              name={`${id}-scopes`}
              checked={remember === scope}
              onChange={() => draft.set({ remember: scope })}
            />
            <label for={`${id}-${scope}`}>{label}</label>
          </div>
        ))}
      </div>
      <div class="secondary" id={`${id}-meaning`} aria-live="polite">
        {remember === 'once'
          ? t('The next request of this server asks again.')
          : t(
              'Later requests of this server go to {0} unseen, and its answers back, with at most {1} tokens each, while the budget lasts.',
              answering,
              formatNumber(detail.maxTokens.cap),
            )}
      </div>
    </div>
  );
}

function Budget({ detail, draft }: SamplingProps): JSX.Element {
  const { requestsPerHour, tokensPerDay } = draft.values;
  return (
    <div role="group" aria-label={t('Budget of this server')}>
      <div class="sampling-pair">
        <Field
          label={t('Requests per hour')}
          value={requestsPerHour}
          onChange={(value) => draft.set({ requestsPerHour: value })}
          isNumber
        />
        <Field label={t('Tokens per day')} value={tokensPerDay} onChange={(value) => draft.set({ tokensPerDay: value })} isNumber />
      </div>
      <div class="secondary">{t('Budget of this server, in all windows: {0}.', budgetLine(detail.budget))}</div>
    </div>
  );
}
