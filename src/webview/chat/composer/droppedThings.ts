import { useEffect, useRef, useState } from 'preact/hooks';
import { t } from '../../shared/localize.ts';
import type { ChatIntents } from '../chatIntents.ts';

export interface PasteAndDrop {
  /** What could not be attached, in words; empty when there is nothing to say. */
  readonly note: string;
  /** Attaches what was dropped. Returns true when something was, so that the browser must not put it into the text as well. */
  readonly take: (data: DataTransfer | null) => boolean;
  readonly takePaste: (data: DataTransfer | null) => boolean;
}

/** Sends what was pasted or dropped to the host. */
export function usePasteAndDrop(intents: ChatIntents): PasteAndDrop {
  const [note, setNote] = useState('');
  const take = (data: DataTransfer | null, from: typeof takeFrom): boolean => {
    const taken = data === null ? undefined : from(data);
    if (taken === undefined || (taken.images.length === 0 && taken.uris.length === 0 && taken.others === 0)) {
      return false;
    }
    setNote(noteOf(taken));
    if (taken.uris.length > 0) {
      intents.context.drop(taken.uris);
    } else {
      taken.images.filter(({ size }) => size <= maxImageFile).forEach((file) => void send(file, intents));
    }
    return true;
  };
  return { note, take: (data) => take(data, takeFrom), takePaste: (data) => take(data, takeFromPaste) };
}

async function send(file: File, intents: ChatIntents): Promise<void> {
  try {
    intents.context.image({ name: file.name, mimeType: file.type, data: await readImage(file) });
  } catch {
    // The file is gone since it was dropped: nothing is attached.
  }
}

function noteOf({ images, others }: TakenThings): string {
  if (images.some(({ size }) => size > maxImageFile)) {
    return t('This file is too large to be attached: {0} MB is the most.', maxImageFile / 1_000_000);
  }
  return others > 0 ? t('From outside only images and PDFs can be dropped here. Use Attach for other files.') : '';
}

/** What can be attached of a paste or a drop: images and PDFs as they are, and addresses of the editor's files. */
export interface TakenThings {
  readonly images: readonly File[];
  readonly uris: readonly string[];
  /** How many other files there are, of which a page gets no address. */
  readonly others: number;
}

/** The most files, and the most addresses, that are taken of what was dropped; the rest is left out. */
const maxTaken = 20;
/** The largest file in bytes; base64 makes a third more of it. */
const maxImageFile = 5_500_000;

/**
 * What to attach of a paste. A spreadsheet puts a picture of its cells beside their text: whoever pastes that wants the text,
 * which is left to the text box.
 */
export function takeFromPaste(data: Pick<DataTransfer, 'files' | 'getData'>): TakenThings {
  const taken = takeFrom(data);
  return taken.uris.length === 0 && hasWords(data) ? { images: [], uris: [], others: 0 } : taken;
}

/** Whether a paste has words of its own: a file manager puts only the names of the files there. */
function hasWords(data: Pick<DataTransfer, 'files' | 'getData'>): boolean {
  const names = new Set([...data.files].map(({ name }) => name));
  const lines = data.getData('text/plain').trim().split(/\r?\n/);
  return lines.some((line) => line.trim() !== '' && !names.has(line.trim().replace(/^.*[/\\]/, '')));
}

export function takeFrom(data: Pick<DataTransfer, 'files' | 'getData'>): TakenThings {
  const files = [...data.files].slice(0, maxTaken);
  const images = files.filter(({ type }) => /^(?:image\/(?:png|jpeg|gif|webp)|application\/pdf)$/.test(type));
  const uris = urisIn(data);
  return { images, uris, others: uris.length > 0 ? 0 : files.length - images.length };
}

/** The addresses that were dropped. VS Code's own list comes first: it has what the Explorer drags, also from other machines. */
function urisIn(data: Pick<DataTransfer, 'getData'>): readonly string[] {
  const text = data.getData('application/vnd.code.uri-list') || data.getData('text/uri-list');
  return text
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !/^https?:/i.test(line))
    .slice(0, maxTaken);
}

/** Reads a file as base64, without the head of the data address. */
function readImage(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(typeof reader.result === 'string' ? reader.result.slice(reader.result.indexOf(',') + 1) : '');
    reader.onerror = () => reject(reader.error ?? new Error('unreadable'));
    reader.readAsDataURL(file);
  });
}

/** The types of dragged data that may be files, as far as one can tell before the drop. */
const takenTypes: ReadonlySet<string> = new Set(['Files', 'application/vnd.code.uri-list', 'text/uri-list']);

/**
 * Takes files that are dropped anywhere on the page: whoever drags one over a conversation means the message. Returns true while
 * something that can be taken is held over the page.
 */
export function useDropping(take: (data: DataTransfer | null) => boolean): boolean {
  const [isHeld, setHeld] = useState(false);
  const taker = useRef(take);
  taker.current = take;
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.some((type) => takenTypes.has(type)) === true) {
        event.preventDefault();
        setHeld(true);
      }
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) {
        setHeld(false);
      }
    };
    const drop = (event: DragEvent): void => {
      setHeld(false);
      if (taker.current(event.dataTransfer)) {
        event.preventDefault();
      }
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return isHeld;
}
