import { toModelMessages, uncompacted, type Turn } from './history.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { AttachedBlock, ModelMessage } from '../models/modelProvider.ts';

/** How much of a conversation a provider would get that it has not had yet. */
export interface Unheard {
  readonly messages: number;
  readonly images: number;
  readonly bytes: number;
}

/** Adds a destination to those that have had this turn. */
export function heardBy(turn: Turn, destination: string): Turn {
  return turn.audience.includes(destination) ? turn : { ...turn, audience: [...turn.audience, destination] };
}

/** Whether a turn holds only the person's new words, and no attachment that was sent before. */
export function isOnlyWords({ messages }: Turn): boolean {
  return messages.length === 1 && messages.every(({ content }) => content.length === 1 && content[0]?.type === 'text');
}

/** Marks a turn as had only by this destination (by nobody, when it stays on this machine), because it gets new content now. */
export function saidTo(turn: Turn, destination: string | undefined): Turn {
  return { ...turn, audience: destination === undefined ? [] : [destination] };
}

/** What of the conversation would be sent to this destination that only others have had; undefined when there is nothing. */
export function unheardBy(turns: readonly Turn[], destination: string): Unheard | undefined {
  // A summary may be taken back, so the messages behind it count.
  const messages = toModelMessages(uncompacted(turns).filter(({ audience }) => !audience.includes(destination)));
  if (messages.length === 0) {
    return undefined;
  }
  const sizes = messages.flatMap(partsOf);
  return {
    messages: messages.length,
    images: sizes.filter(({ isImage }) => isImage).length,
    bytes: sizes.reduce((sum, { bytes }) => sum + bytes, 0),
  };
}

export type ConversationChoice = 'send' | 'newConversation' | 'deny';

/**
 * Asks the person before a conversation goes to a provider that has not had it. A new conversation is the choice that sends nothing of
 * it.
 */
export async function askToSend(destination: string, unheard: Unheard, ask: Ask, signal: AbortSignal): Promise<ConversationChoice> {
  const { choice } = await ask(
    {
      askId: crypto.randomUUID(),
      detail: { kind: 'sendConversation', destination, ...unheard },
      why: 'new',
      differences: [],
      choices: ['newConversation', 'deny', 'allowOnce'],
    },
    signal,
  );
  return choice === 'allowOnce' ? 'send' : choice === 'newConversation' ? 'newConversation' : 'deny';
}

interface Part {
  readonly isImage: boolean;
  readonly bytes: number;
}

function partsOf({ content }: ModelMessage): readonly Part[] {
  return content.flatMap((block): readonly Part[] => {
    switch (block.type) {
      case 'text':
        return [textPart(block.text)];
      case 'image':
        return [imagePart(block.data)];
      case 'document':
        return [documentPart(block.data)];
      case 'toolUse':
        return [textPart(JSON.stringify(block.input))];
      case 'opaque':
        return [textPart(JSON.stringify(block.value))];
      case 'toolResult':
        // The model may read all of a long result, so its whole size counts.
        return block.kept === undefined
          ? block.content.map(contentPart)
          : [{ isImage: false, bytes: block.kept.bytes }, ...block.content.filter(({ type }) => type === 'image').map(contentPart)];
      case 'attached':
        return block.content.map(contentPart);
    }
  });
}

function contentPart(item: AttachedBlock['content'][number]): Part {
  switch (item.type) {
    case 'text':
      return textPart(item.text);
    case 'image':
      return imagePart(item.data);
    case 'document':
      return documentPart(item.data);
  }
}

function imagePart(data: string): Part {
  return { isImage: true, bytes: Buffer.byteLength(data, 'base64') };
}

function documentPart(data: string): Part {
  return { isImage: false, bytes: Buffer.byteLength(data, 'base64') };
}

function textPart(text: string): Part {
  return { isImage: false, bytes: Buffer.byteLength(text) };
}
