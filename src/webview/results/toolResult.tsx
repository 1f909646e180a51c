// results/: what a tool gave back, as a person sees it, in the chat and below the form of Run Tool: this file, and how far a call is.
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { unreachable } from '../../base/errors.ts';
import { revealInContent, revealInvisible } from '../../base/visibleText.ts';
import type { ToolResultItem } from '../../contract/chatState.ts';
import { HighlightedCode } from '../markdown/codeBlock.tsx';
import { InertLink } from '../markdown/inertLink.tsx';
import { formatBytes } from '../shared/formats.ts';
import { Icon } from '../shared/icon.tsx';
import { editableJson } from '../shared/jsonText.ts';
import { dataAddress, openableHref } from '../shared/linkPolicy.ts';
import { t } from '../shared/localize.ts';
import { StructuredResult } from './structuredResult.tsx';
import { cutText, isDiff } from './resultTexts.ts';

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
      return <LongText text={revealInContent(item.text)} {...(isDiff(item.text) ? { language: 'diff' } : {})} />;
    case 'structured':
      return <StructuredResult json={item.json} text={<LongText text={editableJson(item.json)} language="json" />} />;
    case 'image':
      return <Thumbnail mimeType={item.mimeType} data={item.data} />;
    case 'audio':
      return <Sound mimeType={item.mimeType} data={item.data} />;
    case 'link':
      return <ResourceLink uri={item.uri} name={item.name} />;
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
          {shown}
        </pre>
      ) : (
        <HighlightedCode code={shown} language={language} label={language === 'diff' ? t('Differences') : t('Structured result')} />
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

/** Only web addresses can be opened; a file or another scheme from a server is named, never followed. */
function ResourceLink({ uri, name }: { readonly uri: string; readonly name: string }): JSX.Element {
  const href = openableHref(uri);
  const label = revealInvisible(name === '' ? uri : name);
  return (
    <div class="resource">
      <Icon name="link" />
      <span>
        {href === undefined ? label : <InertLink href={href}>{label}</InertLink>}
        {label !== uri && <span class="secondary resource-uri">{revealInvisible(uri)}</span>}
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
