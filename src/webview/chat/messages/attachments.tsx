import { createContext, type JSX } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Attachment } from '../../../contract/chat/attachments.ts';
import { attachmentIcon, attachmentLabel, attachmentNotes, attachmentTooltip } from '../../shared/attachmentTexts.ts';
import { Icon } from '../../shared/elements.tsx';
import { formatBytes } from '../../shared/formats.ts';
import { dataAddress } from '../../shared/linkPolicy.ts';
import { t } from '../../shared/localize.ts';

export interface AttachmentChipsProps {
  readonly attachments: readonly Attachment[];
  /** Removes an attachment; undefined once they were sent. */
  readonly onRemove?: ((id: string) => void) | undefined;
}

/** The attachments of a message: each with its size, and with what the person should know before it is sent. */
export function AttachmentChips({ attachments, onRemove }: AttachmentChipsProps): JSX.Element | null {
  if (attachments.length === 0) {
    return null;
  }
  const problems = new Set(
    attachments.flatMap(({ problem, outcome }) => (problem === undefined || outcome !== undefined ? [] : [problem])),
  );
  return (
    <>
      <ul class="attachments" role="list" aria-label={t('Attachments')}>
        {attachments.map((attachment) => (
          <Chip key={attachment.id} attachment={attachment} onRemove={onRemove} />
        ))}
      </ul>
      {[...problems].map((problem) => (
        <p key={problem} class="secondary attachment-problem">
          {problem}
        </p>
      ))}
    </>
  );
}

function Chip({ attachment, onRemove }: { readonly attachment: Attachment } & Pick<AttachmentChipsProps, 'onRemove'>): JSX.Element {
  const { id, kind, bytes, outcome } = attachment;
  const label = attachmentLabel(attachment);
  const isUnsent = outcome !== undefined && outcome !== 'sent';
  return (
    <li class={isUnsent ? 'attachment is-unsent' : 'attachment'} title={attachmentTooltip(attachment)}>
      <Icon name={attachment.isPdf === true ? 'file-pdf' : attachmentIcon(kind)} />
      <span class="attachment-name">{label}</span>
      {bytes !== undefined && <span class="secondary attachment-size">{formatBytes(bytes)}</span>}
      <Marks attachment={attachment} />
      <span class="screen-reader-only">{attachmentNotes(attachment).join(' ')}</span>
      {onRemove !== undefined && (
        <button
          type="button"
          class="chip-button"
          aria-label={t('Remove {0}', label)}
          title={t('Remove {0}', label)}
          onClick={(event) => {
            focusBeside(event.currentTarget);
            onRemove(id);
          }}
        >
          <Icon name="close" />
        </button>
      )}
    </li>
  );
}

function Marks({ attachment: { secrets, isWithheld, changed, outcome, problem } }: { readonly attachment: Attachment }): JSX.Element {
  const isAsked = outcome === undefined && (secrets !== undefined || isWithheld === true);
  return (
    <>
      {isAsked && <Icon name={isWithheld === true ? 'lock' : 'key'} tone="warning" />}
      {problem !== undefined && outcome === undefined && <Icon name="warning" tone="warning" />}
      {changed !== undefined && <Icon name="history" tone="warning" />}
      {outcome !== undefined && outcome !== 'sent' && <Icon name="circle-slash" />}
    </>
  );
}

/** Moves the focus from a removed chip to the next one, the one before, or back to the text. */
function focusBeside(button: HTMLElement): void {
  const item = button.closest('li');
  const beside = item?.nextElementSibling ?? item?.previousElementSibling;
  const next = beside?.querySelector<HTMLElement>('.chip-button') ?? button.closest('.composer-frame')?.querySelector('textarea');
  next?.focus();
}

/** How many pictures the page keeps; others are asked for again when they come into view. */
const maxPictures = 24;

/** The images that were sent with messages, as `data:` addresses. The host is asked for each when it is shown. */
export class SentPictures {
  readonly #ask: (itemId: string, id: string) => void;
  readonly #known = new Map<string, string>();
  readonly #waiting = new Map<string, Set<(address: string) => void>>();

  constructor(ask: (itemId: string, id: string) => void) {
    this.#ask = ask;
  }

  known(id: string): string | undefined {
    return this.#known.get(id);
  }

  /** Asks for a picture; the returned function stops waiting for it. */
  want(itemId: string, id: string, onPicture: (address: string) => void): () => void {
    const waiting = this.#waiting.get(id) ?? new Set();
    waiting.add(onPicture);
    this.#waiting.set(id, waiting);
    this.#ask(itemId, id);
    return () => void waiting.delete(onPicture);
  }

  receive({ id, mimeType, data }: { readonly id: string; readonly mimeType: string; readonly data: string }): void {
    const address = dataAddress('image', mimeType, data);
    if (address !== undefined) {
      this.#known.set(id, address);
      [...this.#known.keys()].slice(0, -maxPictures).forEach((oldest) => this.#known.delete(oldest));
      this.#waiting.get(id)?.forEach((tell) => tell(address));
    }
    this.#waiting.delete(id);
  }
}

export const SentPicturesContext = createContext(new SentPictures(() => undefined));

export function Pictures({
  itemId,
  attachments,
}: {
  readonly itemId: string;
  readonly attachments: readonly Attachment[];
}): JSX.Element | null {
  const shown = attachments.filter(isPicture);
  return shown.length === 0 ? null : (
    <div class="sent-pictures">
      {shown.map((attachment) => (
        <Thumbnail key={attachment.id} itemId={itemId} attachment={attachment} />
      ))}
    </div>
  );
}

function Thumbnail({ itemId, attachment }: { readonly itemId: string; readonly attachment: Attachment }): JSX.Element | null {
  const pictures = useContext(SentPicturesContext);
  const { id } = attachment;
  const [address, setAddress] = useState(pictures.known(id));
  useEffect(() => (address === undefined ? pictures.want(itemId, id, setAddress) : undefined), [pictures, itemId, id, address]);
  // The place of the picture is there before the picture, so that nothing moves when it comes.
  return (
    <div class="sent-picture">
      {address !== undefined && <img src={address} alt={t('Attached image {0}', attachmentLabel(attachment))} />}
    </div>
  );
}

function isPicture({ kind, name, outcome }: Attachment): boolean {
  return outcome === 'sent' && (kind === 'image' || (kind === 'file' && /\.(?:png|jpe?g|gif|webp)$/i.test(name)));
}
