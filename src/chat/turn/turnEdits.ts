import { Sequencer } from '../../base/sequencer.ts';
import { parseInSlices } from '../../base/slicedJson.ts';
import { madeEdit, type EditedFile, type EditsPart, type MadeEdit, type UndoOutcome } from '../../contract/chat/answerParts.ts';
import type { KeptResults } from '../budget/keptResults.ts';
import { chatError } from '../conversation/chatSentences.ts';
import type { Conversation } from '../conversation/conversation.ts';

/** The most files that are listed for one answer. */
const maxFiles = 500;

export interface TurnEditsOptions {
  /** Keeps the texts of a file before and after an edit, beside the conversation. */
  readonly kept: Pick<KeptResults, 'keep' | 'whole' | 'forget'>;
  /** Takes back all edits whose files are still as the edits left them, and says for each edit, in order, what became of it. */
  readonly undo: (edits: readonly MadeEdit[]) => Promise<readonly UndoOutcome[]>;
}

/** Lists below each answer which files it changed, and takes the changes back, also after a reload of the window. */
export class TurnEdits {
  readonly #options: TurnEditsOptions;
  /** Runs changes of the lists one after the other: each goes on from what the one before kept. */
  readonly #changes = new Sequencer();

  constructor(options: TurnEditsOptions) {
    this.#options = options;
  }

  /** Adds edits to the list of an answer. Never rejects: the files are changed, whether the old texts can be kept or not. */
  add(conversation: Conversation, itemId: string, partId: string, made: readonly MadeEdit[]): Promise<void> {
    return this.#changes
      .run(async () => {
        const part = editsOf(conversation, itemId);
        let files: readonly EditedFile[] = part?.files ?? [];
        for (const edit of made) {
          files = await this.#addOne(conversation, files, edit);
        }
        putPart(conversation, itemId, { kind: 'edits', id: part?.id ?? partId, files: [...files] });
      })
      .catch(() => undefined); // the answer is no longer shown
  }

  /** Merges one edit into the list; only the entry of its file is read and kept again. */
  async #addOne(conversation: Conversation, files: readonly EditedFile[], edit: MadeEdit): Promise<readonly EditedFile[]> {
    const old = files.find(({ path }) => path === (edit.from ?? edit.path));
    if (old === undefined && files.length >= maxFiles) {
      return files;
    }
    const earlier = old === undefined || old.undo === 'undone' ? undefined : old;
    const first = earlier === undefined ? undefined : await this.#read(conversation, earlier);
    const next =
      earlier !== undefined && first === undefined ? unkept(earlier, edit) : await this.#keep(conversation, mergeEdit(first, edit));
    const replaced = files.filter((file) => file === old || file.path === next?.path);
    for (const { kept } of replaced.filter((file) => file.kept !== undefined)) {
      await this.#options.kept.forget(conversation.id, kept ?? '');
    }
    const place = replaced[0] === undefined ? files.length : files.indexOf(replaced[0]);
    const rest = files.filter((file) => !replaced.includes(file));
    return [...rest.slice(0, place), ...(next === undefined ? [] : [next]), ...rest.slice(place)];
  }

  /** An edit whose texts cannot be kept is listed all the same, and marked as such. */
  async #keep(conversation: Conversation, edit: MadeEdit | undefined): Promise<EditedFile | undefined> {
    if (edit === undefined) {
      return undefined;
    }
    const kept = await this.#options.kept.keep(conversation.id, JSON.stringify(edit));
    return { ...toFile(edit), ...(kept === undefined ? { undo: 'notKept' } : { kept }) };
  }

  /** Takes back all edits of an answer that are still as it left them. */
  undo(conversation: Conversation, itemId: string): Promise<void> {
    return this.#changes.run(async () => {
      const part = editsOf(conversation, itemId);
      if (part === undefined) {
        throw chatError('chat.messageGone');
      }
      const wanted: MadeEdit[] = [];
      for (const file of part.files.filter(({ undo }) => undo !== 'undone')) {
        const edit = await this.#read(conversation, file);
        wanted.push(...(edit === undefined ? [] : [edit]));
      }
      const done = await this.#options.undo(wanted);
      const outcomes = new Map(wanted.map(({ path }, index) => [path, done[index] ?? 'failed']));
      const files = part.files.map((file) => (file.undo === 'undone' ? file : { ...file, undo: outcomes.get(file.path) ?? 'notKept' }));
      putPart(conversation, itemId, { ...part, files });
    });
  }

  /** The texts of one file before and after; `undefined` when they are not kept. */
  async find(conversation: Conversation, itemId: string, path: string): Promise<MadeEdit | undefined> {
    const file = editsOf(conversation, itemId)?.files.find((each) => each.path === path);
    return file === undefined ? undefined : this.#read(conversation, file);
  }

  async #read(conversation: Conversation, { path, kept }: EditedFile): Promise<MadeEdit | undefined> {
    const text = kept === undefined ? undefined : await this.#options.kept.whole(conversation.id, kept);
    try {
      const edit = text === undefined ? undefined : madeEdit.parse(await parseInSlices(text));
      return edit?.path === path ? edit : undefined;
    } catch {
      return undefined; // a damaged record counts as gone
    }
  }
}

/** Joins two edits of a file into one, from its first text to its last. Undefined when the file ends as it began. */
export function mergeEdit(first: MadeEdit | undefined, edit: MadeEdit): MadeEdit | undefined {
  const origin = first === undefined ? edit.from : (first.from ?? (edit.from === undefined ? undefined : first.path));
  const one: MadeEdit = {
    path: edit.path,
    ...(origin !== undefined && origin !== edit.path && { from: origin }),
    ...textOf('before', first === undefined ? edit.before : first.before),
    ...textOf('after', edit.after),
    ...textOf('encoding', first?.encoding ?? edit.encoding),
    isText: edit.isText && first?.isText !== false,
  };
  return !one.isText || one.before !== one.after || one.from !== undefined ? one : undefined;
}

/** The entry of a file whose first text is gone: it cannot be taken back, because a part of the way would help nobody. */
function unkept(earlier: EditedFile, edit: MadeEdit): EditedFile {
  const origin = earlier.from ?? (edit.from === undefined ? undefined : earlier.path);
  const { change } = toFile({ ...edit, before: '' });
  return {
    path: edit.path,
    ...(origin !== undefined && origin !== edit.path && { from: origin }),
    change: earlier.change === 'created' && change !== 'deleted' ? 'created' : change,
    undo: 'notKept',
  };
}

function textOf<K extends 'before' | 'after' | 'encoding'>(name: K, text: string | undefined): { readonly [name in K]?: string } {
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
