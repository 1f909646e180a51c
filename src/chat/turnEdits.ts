import * as z from 'zod';
import { madeEdit, type EditedFile, type EditsPart, type MadeEdit, type UndoOutcome } from '../contract/chat/edits.ts';
import type { KeptResults } from './budget/keptResults.ts';
import { chatError } from './chatSentences.ts';
import type { Conversation } from './conversation.ts';

/** More files of one answer are not listed. */
const maxFiles = 500;

export interface TurnEditsOptions {
  /** The texts before and after, kept beside the conversation. */
  readonly kept: Pick<KeptResults, 'keep' | 'whole'>;
  /** Takes back what is still as it was left, all at once; in the order of the edits. */
  readonly undo: (edits: readonly MadeEdit[]) => Promise<readonly UndoOutcome[]>;
}

/** What answers changed in files: listed below them, and taken back at once, also when the window has been closed meanwhile. */
export class TurnEdits {
  readonly #options: TurnEditsOptions;
  /** One after the other: each goes on from what the one before kept. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: TurnEditsOptions) {
    this.#options = options;
  }

  /** Never rejects: what was changed is changed, whether it can be kept or not. */
  add(conversation: Conversation, itemId: string, partId: string, made: readonly MadeEdit[]): Promise<void> {
    return this.#inTurn(async () => {
      const part = editsOf(conversation, itemId);
      const edits = mergeEdits(part === undefined ? [] : await this.#read(conversation, part), made).slice(0, maxFiles);
      const kept = await this.#options.kept.keep(conversation.id, JSON.stringify(edits));
      const files = edits.map(toFile);
      const next: EditsPart = { kind: 'edits', id: part?.id ?? partId, files, ...(kept !== undefined && { kept }) };
      putPart(conversation, itemId, next);
    }).catch(() => undefined); // the answer is not shown any more
  }

  /** Takes back all edits of an answer that are still as it left them. */
  undo(conversation: Conversation, itemId: string): Promise<void> {
    return this.#inTurn(async () => {
      const part = editsOf(conversation, itemId);
      if (part === undefined) {
        throw chatError('chat.messageGone');
      }
      const edits = await this.#read(conversation, part);
      const open = part.files.filter(({ undo }) => undo !== 'undone');
      const wanted = open.map(({ path }) => edits.find((edit) => edit.path === path)).filter((edit) => edit !== undefined);
      const done = await this.#options.undo(wanted);
      const outcomes = new Map(wanted.map(({ path }, index) => [path, done[index] ?? 'failed']));
      const files = part.files.map((file) => (file.undo === 'undone' ? file : { ...file, undo: outcomes.get(file.path) ?? 'notKept' }));
      putPart(conversation, itemId, { ...part, files });
    });
  }

  /** The texts of one file before and after; `undefined` when they are not kept. */
  async find(conversation: Conversation, itemId: string, path: string): Promise<MadeEdit | undefined> {
    const part = editsOf(conversation, itemId);
    const edits = part === undefined ? [] : await this.#read(conversation, part);
    return edits.find((edit) => edit.path === path);
  }

  async #read(conversation: Conversation, { kept }: EditsPart): Promise<readonly MadeEdit[]> {
    const text = kept === undefined ? undefined : await this.#options.kept.whole(conversation.id, kept);
    try {
      return z.array(madeEdit).parse(JSON.parse(text ?? '[]'));
    } catch {
      return []; // damaged is as good as gone
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => undefined);
    return done;
  }
}

/** Several edits of a file are one: from how it was first to how it is now. What ends as it began is none. */
export function mergeEdits(earlier: readonly MadeEdit[], later: readonly MadeEdit[]): readonly MadeEdit[] {
  const merged = new Map(earlier.map((edit) => [edit.path, edit]));
  for (const edit of later) {
    const source = edit.from ?? edit.path;
    const first = merged.get(source);
    merged.delete(source);
    const origin = first === undefined ? edit.from : (first.from ?? (edit.from === undefined ? undefined : first.path));
    const one: MadeEdit = {
      path: edit.path,
      ...(origin !== undefined && origin !== edit.path && { from: origin }),
      ...textOf('before', first === undefined ? edit.before : first.before),
      ...textOf('after', edit.after),
      isText: edit.isText && first?.isText !== false,
    };
    if (!one.isText || one.before !== one.after || one.from !== undefined) {
      merged.set(one.path, one);
    }
  }
  return [...merged.values()];
}

function textOf<K extends 'before' | 'after'>(name: K, text: string | undefined): { readonly [name in K]?: string } {
  return text === undefined ? {} : ({ [name]: text } as { readonly [name in K]: string });
}

function toFile({ path, from, before, after, isText }: MadeEdit): EditedFile {
  const change =
    from !== undefined ? 'moved' : !isText ? 'changed' : before === undefined ? 'created' : after === undefined ? 'deleted' : 'changed';
  return { path, ...(from !== undefined && { from }), change };
}

function editsOf(conversation: Conversation, itemId: string): EditsPart | undefined {
  return conversation.assistant(itemId).parts.find((part) => part.kind === 'edits');
}

function putPart(conversation: Conversation, itemId: string, next: EditsPart): void {
  conversation.updateAssistant(itemId, (item) => {
    const isThere = item.parts.some(({ id }) => id === next.id);
    const parts = isThere ? item.parts.map((part) => (part.id === next.id ? next : part)) : [...item.parts, next];
    return { ...item, parts };
  });
}
