import type { ComponentChildren, JSX } from 'preact';
import { useId, useMemo } from 'preact/hooks';
import { secretMark } from '../../base/secretMark.ts';
import type { SamplingPart, SecretPlace } from '../../contract/questions/samplingQuestions.ts';
import { formatBytes, plural } from '../shared/formats.ts';
import { Icon } from '../shared/icon.tsx';
import { argumentsProblem } from '../shared/jsonText.ts';
import { t } from '../shared/localize.ts';
import { wholeText } from '../shared/wholeText.ts';
import { placesOf, replacePlaces } from './knownSecrets.ts';
import { LeaveOut } from './leaveOut.tsx';
import { withEntry, type SamplingDraft } from './samplingDraft.ts';

interface EditableTextProps {
  /** The accessible name. */
  readonly label: string;
  /** Seen above it; nothing when it is left out. */
  readonly heading?: string | undefined;
  readonly value: string;
  readonly onChange: (text: string) => void;
  /** As it came, with the places of what looks like a secret. */
  readonly original: { readonly text: string; readonly secrets: readonly SecretPlace[] };
  readonly problem?: string | undefined;
  readonly children?: ComponentChildren;
}

/** A text that the person may change before it goes on. Grows with what is in it: nothing scrolls out of view. */
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

function SecretMark({ original, value, onChange }: Pick<EditableTextProps, 'original' | 'value' | 'onChange'>): JSX.Element | null {
  const secrets = useMemo(
    () => new Set(original.secrets.map(({ from, to }) => original.text.slice(from, to))),
    [original.text, original.secrets],
  );
  const places = useMemo(() => placesOf(secrets, value), [secrets, value]);
  const found = [...new Set(places.map(({ secret }) => secret))];
  if (found.length === 0) {
    return null;
  }
  const remove = (): void => onChange(replacePlaces(value, places, secretMark));
  return (
    <p class="secret-mark">
      <Icon name="key" tone="warning" />
      <span>{secretWords(found.map(beginningOf))}</span>
      <button type="button" class="button is-quiet" onClick={remove}>
        {t('Remove')}
      </button>
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
  /** Which of all texts of the question is the first one here. */
  readonly firstText: number;
  /** The same of all images. */
  readonly firstImage: number;
  readonly name: (text: number) => string;
  readonly draft: SamplingDraft;
}

/** What a message is made of, in its order. */
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
  /** Among all texts, or among all images. */
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
      <img src={`data:${part.mimeType};base64,${part.data}`} alt={t('Image {0} of the request', place + 1)} />
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
