import type { OwnCalls } from '../../consent/ownCalls.ts';
import type { EditReview, ReviewedFile } from '../../contract/chat/editReview.ts';
import type { ProposedChange, ProposedFile } from '../../editor/acting/actingViews.ts';
import { diffOfLines, type LineDiff } from './lineDiff.ts';
import { openFilesOf, type ProposalQuestion } from './proposalQuestions.ts';

/** The most lines of all diffs that the card of one call shows. */
const maxLines = 200;
/** The most characters of all diffs that the card of one call shows. */
const maxChars = 40_000;

interface ChatReview {
  readonly callId: string;
  readonly files: readonly ReviewedFile[];
}

/** Tells the calls of the chat which of their changes wait for the person, so that their cards show them. */
export class ChatReviews {
  readonly #calls: Pick<OwnCalls, 'find'>;
  readonly #told = new Map<string, ChatReview>();

  constructor(calls: Pick<OwnCalls, 'find'>) {
    this.#calls = calls;
  }

  /** Tells of all changes that wait now, and of those that no longer do. */
  tell(waiting: readonly ProposalQuestion[]): void {
    for (const [id, { callId }] of [...this.#told].filter(([each]) => waiting.every((question) => question.id !== each))) {
      this.#told.delete(id);
      this.#calls.find(callId)?.onReview?.(undefined);
    }
    for (const question of waiting) {
      const { ownCallId } = question.change.author;
      const call = this.#calls.find(ownCallId);
      if (ownCallId !== undefined && call?.onReview !== undefined) {
        const { files } = this.#told.get(question.id) ?? { files: filesOf(question.change) };
        this.#told.set(question.id, { callId: ownCallId, files });
        call.onReview(reviewOf(question, files));
      }
    }
  }

  /** Whether the card shows all that file `index` of a change would become, when `text` is what it would become. */
  isShown(question: ProposalQuestion, index: number, text: string): boolean {
    const file = question.change.files[index];
    const shown = this.#told.get(question.id)?.files[index];
    return file !== undefined && shown !== undefined && text === file.after && (shown.diff !== undefined || !file.isText);
  }
}

function reviewOf(question: ProposalQuestion, files: readonly ReviewedFile[]): EditReview {
  return {
    id: question.id,
    files: files.map((file, index) => {
      const answer = question.answers.get(index)?.kind;
      return answer === undefined ? file : { ...file, answer };
    }),
    isSeenInEditor: openFilesOf(question).every((index) => question.seen.has(index) && question.seenToEnd.has(index)),
  };
}

function filesOf({ files }: ProposedChange): readonly ReviewedFile[] {
  let [lines, chars] = [maxLines, maxChars];
  return files.map((file) => {
    const diff = diffOfLines(file.before, file.after);
    lines -= diff.lines.length;
    chars -= diff.lines.reduce((sum, { text }) => sum + text.length, 0);
    return shownFile(file, diff, lines >= 0 && chars >= 0);
  });
}

function shownFile({ path, newPath, cell, kind, isText }: ProposedFile, { lines, added, removed }: LineDiff, fits: boolean): ReviewedFile {
  return {
    path,
    ...(newPath !== undefined && { newPath }),
    ...(cell !== undefined && { cell }),
    change: kind,
    added: isText ? added : 0,
    removed: isText ? removed : 0,
    ...(isText && (fits ? { diff: [...lines] } : { isTooLong: true })),
  };
}
