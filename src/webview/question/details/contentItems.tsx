import type { JSX } from 'preact';
import { unreachable } from '../../../base/errors.ts';
import type { ContentItem } from '../../../contract/questions/sentContent.ts';
import { formatBytes } from '../../shared/formats.ts';
import { Icon } from '../../shared/elements.tsx';
import { dataAddress } from '../../shared/linkPolicy.ts';
import { t } from '../../shared/localize.ts';
import { drawingMark } from '../../shared/plainText.tsx';
import { wholeText } from '../../shared/wholeText.ts';
import { Picture } from '../picture.tsx';
import { ActText, useCount } from './actText.tsx';
import { itemHead } from './sendContentTexts.ts';

interface ContentItemsProps {
  readonly items: readonly ContentItem[];
  /** Whether the secret with this number goes, or went, as it is. */
  readonly isKept: (secret: number) => boolean;
}

/** Shows every part whole, as it is sent. Nothing in it is a link, and nothing is loaded. */
export function ContentItems({ items, isKept }: ContentItemsProps): JSX.Element {
  const count = useCount(items.length);
  return (
    <div class="results" {...(count < items.length ? drawingMark : {})}>
      {items.slice(0, count).map((item, index) => (
        <div class="content-item" key={index}>
          <ItemHead item={item} isOnly={items.length === 1} />
          <Item item={item} isKept={isKept} />
        </div>
      ))}
    </div>
  );
}

function ItemHead({ item, isOnly }: { readonly item: ContentItem; readonly isOnly: boolean }): JSX.Element | null {
  const words = itemHead(item, isOnly);
  return words === '' ? null : <div class="secondary content-head">{words}</div>;
}

function Item({ item, isKept }: { readonly item: ContentItem; readonly isKept: ContentItemsProps['isKept'] }): JSX.Element {
  switch (item.kind) {
    case 'text':
      return (
        <ActText
          label={t('Text')}
          role="group"
          pieces={item.pieces}
          drawSecret={(secret) => <SecretMark secret={secret} isKept={isKept(secret)} />}
          empty={t('(empty)')}
        />
      );
    case 'image':
      return <PictureItem item={item} />;
    case 'document':
      return <Note icon="file-pdf" text={t('PDF, {0}: sent whole, with all that is in it', formatBytes(item.bytes))} />;
    case 'named':
      return <Note icon="file-binary" text={t('{0}, {1}: named to the model, not sent', nameOf(item), formatBytes(item.bytes))} />;
    case 'link':
      return <Note icon="link" text={t('Link to {0}: named, never followed', wholeText(item.uri))} />;
    default:
      return unreachable(item);
  }
}

function SecretMark({ secret, isKept }: { readonly secret: number; readonly isKept: boolean }): JSX.Element {
  return (
    <mark class={isKept ? 'secret is-kept' : 'secret'}>
      {isKept ? t('secret {0}, sent as it is', secret) : t('secret {0}, removed', secret)}
    </mark>
  );
}

function PictureItem({ item }: { readonly item: ContentItem & { readonly kind: 'image' } }): JSX.Element {
  const address = dataAddress('image', item.mimeType, item.data);
  const words = t('{0}, {1}', wholeText(item.mimeType), formatBytes(item.bytes));
  return (
    <figure class="content-picture">
      {address !== undefined && <Picture address={address} alt={t('Image of type {0}', wholeText(item.mimeType))} />}
      <figcaption class="secondary">{words}</figcaption>
    </figure>
  );
}

function nameOf(item: ContentItem & { readonly kind: 'named' }): string {
  const type = wholeText(item.mimeType);
  switch (item.what) {
    case 'image':
      return t('Image ({0})', type);
    case 'audio':
      return t('Sound ({0})', type);
    case 'binary':
      return type === '' ? t('Binary data') : t('Binary data ({0})', type);
    default:
      return unreachable(item.what);
  }
}

function Note({ icon, text }: { readonly icon: string; readonly text: string }): JSX.Element {
  return (
    <div class="note secondary">
      <Icon name={icon} />
      <span>{text}</span>
    </div>
  );
}
