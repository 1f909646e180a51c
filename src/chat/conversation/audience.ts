import { toModelMessages, uncompacted, type Turn } from './history.ts';
import type { Ask } from '../../consent/consentGate.ts';
import type { AttachedBlock, ModelMessage } from '../models/modelProvider.ts';

/** What somebody would get who has not had it yet. */
export interface Unheard {
  readonly messages: number;
  readonly images: number;
  readonly bytes: number;
}

/** Said to this destination, or let go there by the person. */
export function heardBy(turn: Turn, destination: string): Turn {
  return turn.audience.includes(destination) ? turn : { ...turn, audience: [...turn.audience, destination] };
}

/** Nothing in it was said before: no attachment comes with the person's new words. */
export function isOnlyWords({ messages }: Turn): boolean {
  return messages.length === 1 && messages.every(({ content }) => content.length === 1 && content[0]?.type === 'text');
}

/** From here on this turn has new content, which only this one has (nobody, where it stays on this machine), whoever had the old. */
export function saidTo(turn: Turn, destination: string | undefined): Turn {
  return { ...turn, audience: destination === undefined ? [] : [destination] };
}

/** Of what would be sent now, what was said to others only; undefined when there is nothing. */
export function unheardBy(turns: readonly Turn[], destination: string): Unheard | undefined {
  // What was summed up may be told whole again.
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

/** What was said to one goes to nobody else without the person's word; a new conversation is the way that sends nothing of it. */
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
        // Of a long result the model may read the whole.
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
