import type { JSX } from 'preact';
import { createContext } from 'preact';
import { useContext, useEffect, useState } from 'preact/hooks';
import type { Attachment } from '../../contract/chat/attachments.ts';
import { attachmentLabel } from '../shared/attachmentTexts.ts';
import { dataAddress } from '../shared/linkPolicy.ts';
import { t } from '../shared/localize.ts';

/** As many are kept in the page; others are asked for again when they come into view. */
const maxPictures = 24;

/** The images that were sent with messages, as data addresses: asked for when they are shown. */
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

  /** Gives back what stops waiting. */
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
  // Its place is there before it is: nothing moves when it comes.
  return (
    <div class="sent-picture">
      {address !== undefined && <img src={address} alt={t('Attached image {0}', attachmentLabel(attachment))} />}
    </div>
  );
}

function isPicture({ kind, name, outcome }: Attachment): boolean {
  return outcome === 'sent' && (kind === 'image' || (kind === 'file' && /\.(?:png|jpe?g|gif|webp)$/i.test(name)));
}
