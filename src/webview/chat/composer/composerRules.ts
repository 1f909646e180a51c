import type { ChatState } from '../../../contract/chat/chatState.ts';
import { formatNumber } from '../../shared/formats.ts';
import { t } from '../../shared/localize.ts';

/** The most characters of a message; a longer one cannot be sent. */
export const maxMessageLength = 100_000;

export interface PressedKey {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly isComposing: boolean;
  /** The code is 229 while an input method is at work, also where `isComposing` is already false (Safari's last Enter). */
  readonly keyCode: number;
}

/** What a key does in the message box: Enter sends, Shift+Enter breaks the line, Up in an empty box edits the last message. */
export function decideKey(event: PressedKey, text: string, lastMessage: string | undefined): 'send' | 'editLast' | 'none' {
  if (isForText(event)) {
    return 'none';
  }
  if (event.key === 'Enter') {
    return 'send';
  }
  return event.key === 'ArrowUp' && text === '' && lastMessage !== undefined ? 'editLast' : 'none';
}

/** What a key does in a message that is being edited: Enter sends it, Escape gives it up. */
export function decideEditKey(event: PressedKey): 'send' | 'cancel' | 'none' {
  if (isForText(event)) {
    return 'none';
  }
  return event.key === 'Enter' ? 'send' : event.key === 'Escape' ? 'cancel' : 'none';
}

function isForText(event: PressedKey): boolean {
  return event.isComposing || event.keyCode === 229 || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey;
}

/** Whether Escape stops the answer that runs: not where something else has a use for the key, such as a question. */
export function stopsByEscape(
  { key, isComposing, defaultPrevented }: Pick<PressedKey, 'key' | 'isComposing'> & { readonly defaultPrevented: boolean },
  isRunning: boolean,
): boolean {
  return key === 'Escape' && !isComposing && !defaultPrevented && isRunning;
}

/** Whether the message can be sent, and what is wrong with it. While an answer runs, the host queues it. */
export function sendability(
  state: ChatState | undefined,
  draft: string,
): { readonly canSend: boolean; readonly problem: string | undefined } {
  const excess = draft.length - maxMessageLength;
  const problem = excess > 0 ? t('This message is {0} characters too long.', formatNumber(excess)) : undefined;
  const isFree = state !== undefined && state.heading?.isAnsweredElsewhere !== true;
  // While an answer runs, only words are queued; attachments alone wait.
  const hasOnlyAttached = state?.isRunning === false && (state.attached?.attachments.length ?? 0) > 0;
  return { canSend: isFree && problem === undefined && (draft.trim() !== '' || hasOnlyAttached), problem };
}

/** What a key does while suggestions are shown. */
export function decideListKey(event: PressedKey): 'choose' | 'next' | 'previous' | 'dismiss' | 'none' {
  if (event.isComposing || event.keyCode === 229 || event.shiftKey || event.ctrlKey || event.metaKey || event.altKey) {
    return 'none';
  }
  switch (event.key) {
    case 'Enter':
    case 'Tab':
      return 'choose';
    case 'ArrowDown':
      return 'next';
    case 'ArrowUp':
      return 'previous';
    case 'Escape':
      return 'dismiss';
    default:
      return 'none';
  }
}
