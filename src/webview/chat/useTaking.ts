import { useState } from 'preact/hooks';
import { t } from '../shared/localize.ts';
import type { ChatIntents } from './chatIntents.ts';
import { maxImageFile, readImage, takeFrom, takeFromPaste, type TakenThings } from './droppedThings.ts';

export interface Taking {
  /** What could not be taken, in words; empty when there is nothing to say. */
  readonly note: string;
  /** True when something was taken, so that the browser must not put it into the text as well. */
  readonly take: (data: DataTransfer | null) => boolean;
  readonly takePaste: (data: DataTransfer | null) => boolean;
}

/** Pasted and dropped things, on their way to the host. */
export function useTaking(intents: ChatIntents): Taking {
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
    // gone between the drop and now: nothing appears
  }
}

function noteOf({ images, others }: TakenThings): string {
  if (images.some(({ size }) => size > maxImageFile)) {
    return t('This file is too large to be attached: {0} MB is the most.', maxImageFile / 1_000_000);
  }
  return others > 0 ? t('From outside only images and PDFs can be dropped here. Use Attach for other files.') : '';
}
