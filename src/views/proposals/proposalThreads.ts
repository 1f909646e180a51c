import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { ProposedFile } from '../../editor/acting/actingViews.ts';
import { isAnswerable, openFilesOf, type ProposalQuestion } from './proposalQuestions.ts';
import { authorName, threadLabel, threadText } from './proposalWords.ts';

/** The id under which package.json puts buttons on the threads. */
const controllerId = 'duplex.review';

interface Place {
  readonly question: ProposalQuestion;
  readonly index: number;
}

/** Shows a comment thread at the first change of each proposed file: who wants it and why, with buttons for the answer. */
export class ProposalThreads implements Disposable {
  readonly #lifetime = new DisposableStore();
  // It has no commenting ranges, so that the person cannot start threads of their own.
  readonly #controller = this.#lifetime.add(vscode.comments.createCommentController(controllerId, 'Duplex'));
  readonly #threads = new Map<string, vscode.CommentThread>();

  /** Shows the threads of all files that wait for an answer, and removes the others. */
  show(questions: readonly ProposalQuestion[], uriOf: (id: string, index: number) => vscode.Uri | undefined): void {
    const wanted = new Map<string, Place & { readonly uri: vscode.Uri }>();
    for (const question of questions) {
      for (const index of openFilesOf(question)) {
        const uri = uriOf(question.id, index);
        if (uri !== undefined) {
          wanted.set(uri.toString(), { question, index, uri });
        }
      }
    }
    for (const [key, thread] of this.#threads) {
      if (!wanted.has(key)) {
        thread.dispose();
        this.#threads.delete(key);
      }
    }
    for (const [key, place] of wanted) {
      const thread = this.#threads.get(key) ?? this.#create(place.uri, place);
      this.#threads.set(key, thread);
      thread.contextValue = contextOf(place);
    }
  }

  dispose(): void {
    this.#lifetime.dispose();
    this.#threads.clear();
  }

  #create(uri: vscode.Uri, { question, index }: Place): vscode.CommentThread {
    const { change } = question;
    const line = firstChangedLine(change.files[index]);
    const comment: vscode.Comment = {
      author: { name: authorName(change.author) },
      // The text is the label: for a comment with a body VS Code opens its Comments panel over half of the diff.
      label: threadText(change, index),
      body: '',
      mode: vscode.CommentMode.Preview,
    };
    const thread = this.#controller.createCommentThread(uri, new vscode.Range(line, 0, line, 0), [comment]);
    thread.canReply = false;
    thread.label = threadLabel(change, index);
    thread.collapsibleState = vscode.CommentThreadCollapsibleState.Expanded;
    return thread;
  }
}

/** The words that package.json compares before it puts a button on a thread. */
function contextOf({ question, index }: Place): string {
  const { change } = question;
  const words = [isAnswerable(question, index) && 'answerable', change.asksToSave && 'savable', change.files.length > 1 && 'several'];
  return words.filter((word) => word !== false).join(' ');
}

/** The first line of the proposed text that differs. */
function firstChangedLine(file: ProposedFile | undefined): number {
  const before = file?.before.split(/\r\n|\r|\n/) ?? [];
  const after = file?.after.split(/\r\n|\r|\n/) ?? [];
  const first = after.findIndex((line, index) => line !== before[index]);
  return first >= 0 ? first : before.length > after.length ? after.length - 1 : 0;
}
