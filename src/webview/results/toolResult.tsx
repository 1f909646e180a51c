// results/: what a tool gave back, as a person sees it in the chat and in Run Tool, and how far a call is.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { unreachable } from '../../base/errors.ts';
import { revealInContent, revealInvisible } from '../../base/visibleText.ts';
import type { ToolResultItem } from '../../contract/chat/chatState.ts';
import { HighlightedCode } from '../markdown/codeBlock.tsx';
import { Icon } from '../shared/elements.tsx';
import { formatBytes } from '../shared/formats.ts';
import { editableJson } from '../shared/jsonText.ts';
import { dataAddress, openableHref } from '../shared/linkPolicy.ts';
import { t } from '../shared/localize.ts';
import { PlainText, shortened } from '../shared/plainText.tsx';
import { InertLink, ResourceLink } from '../shared/pageActions.tsx';
import { StructuredResult } from './structuredResult.tsx';

export function ToolResult({ items }: { readonly items: readonly ToolResultItem[] }): JSX.Element {
  if (items.length === 0) {
    return <p class="secondary">{t('The tool returned nothing.')}</p>;
  }
  return (
    <div class="results">
      {items.map((item, index) => (
        <ResultItem key={index} item={item} />
      ))}
    </div>
  );
}

function ResultItem({ item }: { readonly item: ToolResultItem }): JSX.Element {
  switch (item.kind) {
    case 'text':
      return <LongText text={item.text} {...(isDiff(item.text) ? { language: 'diff' } : {})} />;
    case 'structured':
      return <StructuredResult json={item.json} text={<LongText text={editableJson(item.json)} language="json" />} />;
    case 'image':
      return <Thumbnail mimeType={item.mimeType} data={item.data} />;
    case 'audio':
      return <Sound mimeType={item.mimeType} data={item.data} />;
    case 'link':
      return <LinkedResource uri={item.uri} name={item.name} />;
    default:
      return unreachable(item);
  }
}

function LongText({ text, language }: { readonly text: string; readonly language?: string }): JSX.Element {
  const [isWhole, setWhole] = useState(false);
  const cut = isWhole ? undefined : cutText(text);
  const shown = cut ?? text;
  return (
    <div class="long-text">
      {language === undefined ? (
        <pre class="plain" tabIndex={0} role="group" aria-label={t('Text')}>
          <PlainText text={shown} />
        </pre>
      ) : (
        <HighlightedCode
          code={revealInContent(shown)}
          language={language}
          label={language === 'diff' ? t('Differences') : t('Structured result')}
        />
      )}
      {cut !== undefined && (
        <button type="button" class="button is-quiet" data-grows onClick={() => setWhole(true)}>
          {t('Show all')} <span class="secondary">{formatBytes(text.length)}</span>
        </button>
      )}
    </div>
  );
}

function Thumbnail({ mimeType, data }: { readonly mimeType: string; readonly data: string }): JSX.Element {
  const [isLarge, setLarge] = useState(false);
  const address = dataAddress('image', mimeType, data);
  if (address === undefined) {
    return <NotShown icon="file-media" text={t('An image of type {0} is not shown.', revealInvisible(mimeType))} />;
  }
  const label = isLarge ? t('Make the image smaller') : t('Make the image larger');
  return (
    <button
      type="button"
      class={isLarge ? 'thumbnail is-large' : 'thumbnail'}
      aria-expanded={isLarge}
      title={label}
      aria-label={label}
      onClick={() => setLarge(!isLarge)}
    >
      <img src={address} alt={t('Image returned by the tool')} />
    </button>
  );
}

function Sound({ mimeType, data }: { readonly mimeType: string; readonly data: string }): JSX.Element {
  const address = dataAddress('audio', mimeType, data);
  return address === undefined ? (
    <NotShown icon="unmute" text={t('A sound of type {0} cannot be played.', revealInvisible(mimeType))} />
  ) : (
    <audio controls preload="metadata" src={address} aria-label={t('Sound returned by the tool')} />
  );
}

/**
 * A resource that the result links to. Only web addresses are opened as links; for any other the server itself is asked, on a
 * page that can do that.
 */
function LinkedResource({ uri, name }: { readonly uri: string; readonly name: string }): JSX.Element {
  const href = openableHref(uri);
  const label = revealInvisible(shortened(name === '' ? uri : name));
  return (
    <div class="resource">
      <Icon name="link" />
      <span>
        {href === undefined ? <ResourceLink uri={uri}>{label}</ResourceLink> : <InertLink href={href}>{label}</InertLink>}
        {label !== uri && <span class="secondary resource-uri">{revealInvisible(shortened(uri))}</span>}
      </span>
    </div>
  );
}

function NotShown({ icon, text }: { readonly icon: string; readonly text: string }): JSX.Element {
  return (
    <div class="note secondary">
      <Icon name={icon} />
      {text}
    </div>
  );
}

/** Shows how far a call is; without numbers, only that it goes on. */
export function ProgressBar({ tool, progress }: { readonly tool: string; readonly progress: CallProgress | undefined }): JSX.Element {
  const share = progressShare(progress);
  const said = progress?.message === undefined ? undefined : revealInvisible(shortened(progress.message));
  return (
    <>
      <div
        class={share === undefined ? 'progress is-endless' : 'progress'}
        role="progressbar"
        aria-label={t('Progress of {0}', revealInvisible(tool))}
        aria-valuemin={0}
        aria-valuemax={100}
        {...(share === undefined ? {} : { 'aria-valuenow': Math.round(share * 100) })}
      >
        <div class="progress-bar" {...(share === undefined ? {} : { style: { width: `${share * 100}%` } })} />
      </div>
      {/* One line that is always there: what a server says of its progress moves nothing. */}
      <p class="call-progress secondary" {...(said === undefined ? {} : { title: said })}>
        {said ?? ''}
      </p>
    </>
  );
}

/** How far a call is, in the server's own numbers. */
interface CallProgress {
  readonly value: number;
  readonly total?: number | undefined;
  readonly message?: string | undefined;
}

/** The share of a call that is done, from 0 to 1; undefined where the end is not known. */
export function progressShare(progress: CallProgress | undefined): number | undefined {
  if (progress?.total === undefined || !(progress.total > 0)) {
    return undefined;
  }
  return Math.min(1, Math.max(0, progress.value / progress.total));
}

/** Whether a text is a unified diff, by its first lines: it is shown in the colours of one. */
export function isDiff(text: string): boolean {
  return /^(?:diff --git [^\n]*\n(?:[^\n]*\n){0,6})?--- [^\n]*\n\+\+\+ [^\n]*\n@@ /.test(text.slice(0, 4_000));
}

/** The most lines of the beginning of a long result. */
const maxLines = 24;
/** The most characters of the beginning of a long result. */
const maxCharacters = 4_000;

/** The beginning of a long result; `undefined` when it is short enough to show whole. */
export function cutText(text: string): string | undefined {
  const lines = text.split('\n', maxLines + 1);
  const cut = lines.slice(0, maxLines).join('\n').slice(0, maxCharacters);
  return cut.length < text.length ? cut : undefined;
}
