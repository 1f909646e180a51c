import type { ComponentChildren, JSX } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import type { SamplingPart, SamplingQuestion } from '../../../contract/questions/samplingQuestions.ts';
import { knownPlaces, replacePlaces, secretMark, type SecretPlace } from '../../../secrets/secretMarks.ts';
import { Icon } from '../../shared/elements.tsx';
import { formatBytes, plural } from '../../shared/formats.ts';
import { argumentsProblem } from '../../shared/jsonText.ts';
import { t } from '../../shared/localize.ts';
import { drawingMark } from '../../shared/plainText.tsx';
import { wholeText } from '../../shared/wholeText.ts';
import { Picture } from '../picture.tsx';
import { ActText, useCount } from './actText.tsx';
import { withEntry, type SamplingDraft } from './samplingDraft.ts';

interface EditableTextProps {
  /** The accessible name. */
  readonly label: string;
  /** The visible heading above the text box, if any. */
  readonly heading?: string | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** The text as it came, with the places in it that look like secrets. */
  readonly original: { readonly text: string; readonly secrets: readonly SecretPlace[] };
  readonly problem?: string | undefined;
  readonly children?: ComponentChildren;
}

/** A text that the person may change before it goes on. The box grows with its text, so that nothing scrolls out of view. */
export function EditableText({ label, heading, value, onChange, original, problem, children }: EditableTextProps): JSX.Element {
  const id = useId();
  return (
    <div class="section">
      {heading !== undefined && (
        <label class="section-label" for={id}>
          {heading}
        </label>
      )}
      <textarea
        id={id}
        class="input code-input"
        aria-label={label}
        aria-invalid={problem !== undefined}
        aria-describedby={`${id}-notes`}
        spellcheck={false}
        autocomplete="off"
        rows={Math.max(1, value.split('\n').length)}
        value={value}
        onInput={(event) => onChange(event.currentTarget.value)}
      />
      <div id={`${id}-notes`}>
        <SecretMark original={original} value={value} onChange={onChange} />
        {problem !== undefined && (
          <div class="field-problem">
            <Icon name="error" tone="error" />
            {problem}
          </div>
        )}
        {children}
      </div>
    </div>
  );
}

interface SecretMarkProps extends Pick<EditableTextProps, 'original' | 'value'> {
  /** Without it, secrets are named and cannot be removed. */
  readonly onChange?: EditableTextProps['onChange'];
}

function SecretMark({ original, value, onChange }: SecretMarkProps): JSX.Element | null {
  const secrets = useMemo(
    () => new Set(original.secrets.map(({ from, to }) => original.text.slice(from, to))),
    [original.text, original.secrets],
  );
  const places = useMemo(() => knownPlaces(secrets, value), [secrets, value]);
  const found = [...new Set(places.map(({ secret }) => secret))];
  if (found.length === 0) {
    return null;
  }
  return (
    <p class="secret-mark">
      <Icon name="key" tone="warning" />
      <span>{secretWords(found.map(beginningOf))}</span>
      {onChange !== undefined && (
        <button type="button" class="button is-quiet" onClick={() => onChange(replacePlaces(value, places, secretMark))}>
          {t('Remove')}
        </button>
      )}
    </p>
  );
}

function secretWords(beginnings: readonly string[]): string {
  return plural(
    beginnings.length,
    () => t('Something in it looks like a secret: {0}', beginnings.join(', ')),
    (count) => t('{0} things in it look like secrets: {1}', count, beginnings.join(', ')),
  );
}

function beginningOf(secret: string): string {
  return `${secret.slice(0, 6)}…`;
}

interface PartsProps {
  readonly parts: readonly SamplingPart[];
  /** The number, among all texts of the question, of the first text here. */
  readonly firstText: number;
  /** The number, among all images of the question, of the first image here. */
  readonly firstImage: number;
  readonly name: (text: number) => string;
  readonly draft: SamplingDraft;
}

/** Draws the parts of a message in their order. */
export function SamplingParts({ parts, firstText, firstImage, name, draft }: PartsProps): JSX.Element {
  let text = firstText;
  let image = firstImage;
  return (
    <>
      {parts.map((part, index) => (
        <OnePart
          key={index}
          part={part}
          place={part.kind === 'image' ? image++ : part.kind === 'text' || part.kind === 'toolUse' ? text++ : -1}
          name={name}
          draft={draft}
        />
      ))}
    </>
  );
}

interface OnePartProps extends Pick<PartsProps, 'name' | 'draft'> {
  readonly part: SamplingPart;
  /** The number of the part among all texts, or among all images. */
  readonly place: number;
}

function OnePart({ part, place, name, draft }: OnePartProps): JSX.Element {
  const value = draft.values.texts[place] ?? '';
  const change = (changed: string): void => draft.setText(place, changed);
  switch (part.kind) {
    case 'text':
      return <EditableText label={name(place)} value={value} onChange={change} original={part} />;
    case 'toolUse':
      return (
        <EditableText
          label={t('Arguments of {0}', wholeText(part.tool))}
          heading={t('Calls the tool “{0}” with', wholeText(part.tool))}
          value={value}
          onChange={change}
          original={{ text: part.input, secrets: part.secrets }}
          problem={argumentsProblem(value)}
        />
      );
    case 'toolResult':
      return (
        <div class="section-label">
          <Icon name={part.isError ? 'error' : 'tools'} />
          {part.isError ? t('The tool “{0}” failed with', wholeText(part.tool)) : t('The tool “{0}” returned', wholeText(part.tool))}
        </div>
      );
    case 'image':
      return <OneImage part={part} place={place} draft={draft} />;
    case 'audio':
      return (
        <p class="secondary">
          <Icon name="unmute" /> {dataNote(t('Audio'), part)}
        </p>
      );
  }
}

interface ImageProps extends Pick<OnePartProps, 'place' | 'draft'> {
  readonly part: Extract<SamplingPart, { kind: 'image' }>;
}

function OneImage({ part, place, draft }: ImageProps): JSX.Element {
  const { leftOutImages } = draft.values;
  const isLeftOut = leftOutImages[place] === true;
  return (
    <figure class={isLeftOut ? 'sampling-image is-left-out' : 'sampling-image'}>
      <Picture address={`data:${part.mimeType};base64,${part.data}`} alt={t('Image {0} of the request', place + 1)} />
      <figcaption class="secondary">
        {dataNote(t('Image'), part)}
        <LeaveOut
          what={t('image {0}', place + 1)}
          isLeftOut={isLeftOut}
          onChange={(leave) => draft.set({ leftOutImages: withEntry(leftOutImages, place, leave) })}
        />
      </figcaption>
    </figure>
  );
}

function dataNote(what: string, { mimeType, bytes, isSent }: Extract<SamplingPart, { kind: 'image' | 'audio' }>): string {
  const about = t('{0}, {1}, {2}', what, wholeText(mimeType), formatBytes(bytes));
  return isSent ? about : t('{0}. Not sent: this model cannot take it, and is told so.', about);
}

interface ToolsProps {
  readonly detail: SamplingQuestion;
  readonly draft: SamplingDraft;
}

/** The model reads what describes a tool like any other text, so all of it is shown. A tool can be left out, not rewritten. */
export function SamplingTools({ detail: { tools, toolChoice }, draft }: ToolsProps): JSX.Element {
  const { leftOutTools } = draft.values;
  const count = useCount(tools.length);
  const choice = { auto: '', required: t('It must ask for one of them.'), none: t('It may ask for none of them now.') }[
    toolChoice ?? 'auto'
  ];
  return (
    <div class="section" role="group" aria-label={t('Tools')} {...(count < tools.length ? drawingMark : {})}>
      <div class="section-label">{t('Tools of the server that the model may ask for')}</div>
      {tools.slice(0, count).map((tool, index) => (
        <OneTool
          key={index}
          tool={tool}
          isLeftOut={leftOutTools[index] === true}
          onChange={(isLeftOut) => draft.set({ leftOutTools: withEntry(leftOutTools, index, isLeftOut) })}
        />
      ))}
      <p class="secondary">{`${choice} ${t('Nothing runs here: a call goes back to the server, and you see it first.')}`.trim()}</p>
    </div>
  );
}

interface OneToolProps extends Pick<LeaveOutProps, 'isLeftOut' | 'onChange'> {
  readonly tool: SamplingQuestion['tools'][number];
}

function OneTool({ tool, isLeftOut, onChange }: OneToolProps): JSX.Element {
  const name = wholeText(tool.name);
  return (
    <div class="sampling-tool" role="group" aria-label={t('Tool {0}', name)}>
      <div class="sampling-tool-head">
        <code>{name}</code>
        <LeaveOut what={name} isLeftOut={isLeftOut} onChange={onChange} />
      </div>
      {!isLeftOut && (
        <>
          <ShownText label={t('Description of {0}', name)} heading={t('Description')} original={tool.description} />
          <ShownText label={t('Input schema of {0}', name)} heading={t('Input schema')} original={tool.inputSchema} />
        </>
      )}
    </div>
  );
}

function ShownText({ label, heading, original }: Pick<EditableTextProps, 'label' | 'heading' | 'original'>): JSX.Element {
  return (
    <div class="section">
      <div class="section-label">{heading}</div>
      <ActText label={label} role="region" pieces={[original.text]} />
      <SecretMark original={original} value={original.text} />
    </div>
  );
}

interface LeaveOutProps {
  /** What the box is for, for those who do not see what it stands beside. */
  readonly what: string;
  readonly isLeftOut: boolean;
  readonly onChange: (isLeftOut: boolean) => void;
}

/** A box to tick, for what is not to be sent. */
function LeaveOut({ what, isLeftOut, onChange }: LeaveOutProps): JSX.Element {
  const id = useId();
  return (
    <span class="role leave-out">
      <input
        type="checkbox"
        id={id}
        checked={isLeftOut}
        aria-label={t('Leave out {0}', what)}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <label for={id}>{t('Leave out')}</label>
    </span>
  );
}
