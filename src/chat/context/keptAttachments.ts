import * as z from 'zod';
import { keptAttachment, maxAttachments, type GoneAttachment, type KeptAttachment } from '../../contract/chat/attachments.ts';
import type { ChatContent, ContentWish } from '../content/chatContent.ts';
import { nameOfRef, type ContextRef } from './contextSources.ts';

/** Of so many chats, the last ones that changed. */
const maxChats = 20;

const keptChats = z.array(z.tuple([z.string(), z.array(keptAttachment).max(maxAttachments)])).max(maxChats);

/** Where it is. What was caught at one moment, as a terminal's output is, cannot be read once more. */
export function keptOfRef(ref: ContextRef): KeptAttachment {
  switch (ref.kind) {
    case 'selection':
      return { kind: 'selection', path: ref.path, lines: ref.lines };
    case 'tests':
    case 'terminal':
      return { kind: 'gone', what: ref.kind, name: '' };
    case 'editors':
      return { kind: 'editors' };
    case 'file':
    case 'folder':
    case 'diagnostics':
    case 'changes':
      return ref;
  }
}

/** Addresses and arguments in which there is a secret are written down nowhere. */
export async function keptOfWish(wish: ContentWish, shownName: string, secretsIn: ChatContent['secretsIn']): Promise<KeptAttachment> {
  const { serverId, server, name } = wish;
  const told = wish.kind === 'resource' ? wish.uri : JSON.stringify(wish.arguments);
  if ((await secretsIn(`${name}\n${told}`)).length > 0) {
    return { kind: 'gone', what: wish.kind, name: shownName };
  }
  return wish.kind === 'resource'
    ? { kind: 'resource', serverId, server, name, uri: wish.uri }
    : { kind: 'prompt', serverId, server, name, description: wish.description, arguments: { ...wish.arguments } };
}

export function goneOf(kept: KeptAttachment): GoneAttachment {
  switch (kept.kind) {
    case 'gone':
      return kept;
    case 'resource':
    case 'prompt':
      return { kind: 'gone', what: kept.kind, name: kept.name };
    case 'selection':
      return { kind: 'gone', what: kept.kind, name: nameOfRef({ ...kept, text: '' }) };
    case 'file':
    case 'folder':
    case 'diagnostics':
    case 'changes':
    case 'editors':
      return { kind: 'gone', what: kept.kind, name: nameOfRef(kept) };
  }
}

/** What waits in the chats of a window, over a reload. */
export class KeptAttachments {
  readonly #set: (value: unknown) => void;
  /** Until it is restored: what is attached meanwhile does not take its place. */
  readonly #before: Map<string, readonly KeptAttachment[]>;
  #chats: readonly (readonly [string, readonly KeptAttachment[]])[];

  constructor(memory: { get(): unknown; set(value: unknown): void }) {
    this.#set = (value) => memory.set(value);
    const read = keptChats.safeParse(memory.get());
    this.#chats = read.success ? read.data : [];
    this.#before = new Map(this.#chats);
  }

  /** Once: what waited when the window closed. */
  take(chat: string): readonly KeptAttachment[] {
    const kept = this.#before.get(chat) ?? [];
    this.#before.delete(chat);
    return kept;
  }

  keep(chat: string, attached: readonly KeptAttachment[]): void {
    const all = [...(this.#before.get(chat) ?? []), ...attached].slice(0, maxAttachments);
    const known = this.#chats.find(([name]) => name === chat)?.[1] ?? [];
    if (JSON.stringify(known) === JSON.stringify(all)) {
      return;
    }
    const others = this.#chats.filter(([name]) => name !== chat);
    this.#chats = all.length === 0 ? others : [...others, [chat, all] as const].slice(-maxChats);
    this.#set(this.#chats);
  }
}
