import * as vscode from 'vscode';
import { neverAborted, pause, within } from '../../../base/abort.ts';
import { systemClock } from '../../../base/clock.ts';
import { pathNotFound } from '../../../platform/paths/clientPath.ts';
import type {
  ChangeGuard,
  ChangeOrigin,
  ChangeReview,
  CodeActionRequest,
  FoundCodeAction,
  RenameRequest,
} from '../../../server/seen/ports/actingPort.ts';
import { formattingOptions } from '../../settingsReader.ts';
import { editorError } from '../../shared/editorErrors.ts';
import { isCommand, isOwnAction } from '../../language/editorLanguage.ts';
import { halfCallMs } from '../../language/languageService.ts';
import type { NoticePort } from '../actingViews.ts';
import type { ChangeReviewer } from './changeReview.ts';
import { renameEdit } from './renames.ts';
import { openDocument } from './targets.ts';
import { reviewTexts, reviewWorkspaceEdit, textChange } from './workspaceEdits.ts';

/** Changes that VS Code's providers make on a client's behalf. */
export class ProviderChanges {
  readonly #reviewer: ChangeReviewer;
  readonly #notices: NoticePort;

  constructor(reviewer: ChangeReviewer, notices: NoticePort) {
    this.#reviewer = reviewer;
    this.#notices = notices;
  }

  async formatDocument({ path }: { readonly path: string }, origin: ChangeOrigin, signal: AbortSignal): Promise<ChangeReview> {
    const document = await openDocument(path, origin.guard);
    const edits = await inTime(formattingOf(document), providerMs, signal);
    if (edits === undefined) {
      // VS Code's answer is the same for a formatted file and for one without a formatter.
      const note = `VS Code has nothing to change: "${path}" is formatted already, or there is no formatter for ${document.languageId}.`;
      return { outcome: 'accepted', files: [], note };
    }
    const change = await textChange(document.uri, edits, origin.guard);
    return reviewTexts([change], { reviewer: this.#reviewer, origin, signal });
  }

  async renameSymbol(request: RenameRequest, origin: ChangeOrigin, signal: AbortSignal): Promise<ChangeReview> {
    const document = await openDocument(request.path, origin.guard);
    const edit = await inTime(renameEdit(document, request), providerMs, signal);
    const { save } = request;
    return reviewWorkspaceEdit(edit, { reviewer: this.#reviewer, notices: this.#notices, origin: { ...origin, save }, signal });
  }

  async findCodeAction(request: CodeActionRequest, guard: ChangeGuard | undefined): Promise<FoundCodeAction> {
    const action = await inTime(findAction(request, guard), halfCallMs);
    return action.command === undefined ? {} : { command: commandText(action.command) };
  }

  async applyCodeAction(
    request: CodeActionRequest,
    found: FoundCodeAction,
    origin: ChangeOrigin,
    signal: AbortSignal,
  ): Promise<ChangeReview> {
    const { edit, command } = await inTime(findAction(request, origin.guard), halfCallMs, signal);
    if ((command === undefined ? undefined : commandText(command)) !== found.command) {
      throw editorError('editor.codeActionChanged', { title: request.title });
    }
    const review: ChangeReview =
      edit === undefined
        ? { outcome: 'accepted', files: [] }
        : await reviewWorkspaceEdit(edit, { reviewer: this.#reviewer, notices: this.#notices, origin, signal });
    if (command !== undefined && review.outcome !== 'rejected') {
      if (origin.guard?.mayTouch(request.path) === false) {
        throw pathNotFound(request.path);
      }
      await vscode.commands.executeCommand(command.command, ...((command.arguments ?? []) as unknown[]));
    }
    return review;
  }
}

/**
 * The longest, in ms, that a provider may work. After 25 seconds clients are told that the person is being asked, which is not so
 * yet.
 */
const providerMs = 20_000;

function inTime<T>(work: Promise<T>, limitMs: number, signal = neverAborted()): Promise<T> {
  return within(work, limitMs, signal, () => editorError('language.tooSlow'));
}

/** The delays, in ms, before each try: an extension that formats may still be starting because the file has just been opened. */
const formatterDelays: readonly number[] = [0, 500, 1_000];

async function formattingOf(document: vscode.TextDocument): Promise<vscode.TextEdit[] | undefined> {
  for (const delay of formatterDelays) {
    await pause(systemClock, delay, neverAborted());
    const edits = await ask<vscode.TextEdit[]>('vscode.executeFormatDocumentProvider', document.uri, formattingOptions(document));
    if (edits !== undefined && edits.length > 0) {
      return edits;
    }
  }
  return undefined;
}

interface FoundAction {
  readonly edit: vscode.WorkspaceEdit | undefined;
  readonly command: vscode.Command | undefined;
}

/**
 * Finds a code action by its title. Edits are often worked out only for the action that is chosen, so it is asked for again,
 * resolved.
 */
async function findAction({ path, startLine, endLine, title }: CodeActionRequest, guard: ChangeGuard | undefined): Promise<FoundAction> {
  const document = await openDocument(path, guard);
  const { uri } = document;
  const range = rangeOf(document, { path, startLine, endLine });
  const list = async (resolve: number): Promise<(vscode.CodeAction | vscode.Command)[]> =>
    (await ask<(vscode.CodeAction | vscode.Command)[]>('vscode.executeCodeActionProvider', uri, range, undefined, resolve)) ?? [];
  const index = (await list(0)).findIndex((action) => action.title === title && !isOwnAction(action));
  const action = index < 0 ? undefined : (await list(index + 1)).find((each) => each.title === title && !isOwnAction(each));
  if (action === undefined) {
    throw editorError('editor.noCodeAction', { title, path });
  }
  if (isCommand(action)) {
    return { edit: undefined, command: action };
  }
  if (action.disabled !== undefined) {
    throw editorError('editor.codeActionDisabled', { title, reason: action.disabled.reason });
  }
  if (action.edit === undefined && action.command === undefined) {
    throw editorError('editor.codeActionEmpty', { title });
  }
  return { edit: action.edit, command: action.command };
}

function rangeOf(
  document: vscode.TextDocument,
  { path, startLine, endLine }: Pick<CodeActionRequest, 'path' | 'startLine' | 'endLine'>,
): vscode.Range {
  if (startLine > document.lineCount) {
    throw editorError('editor.tooFewLines', { path, lineCount: document.lineCount });
  }
  return document.validateRange(new vscode.Range(startLine - 1, 0, endLine - 1, Number.MAX_SAFE_INTEGER));
}

function commandText({ command, arguments: args = [] }: vscode.Command): string {
  return args.length === 0 ? command : `${command} ${inWords(args)}`;
}

function inWords(args: readonly unknown[]): string {
  try {
    return JSON.stringify(args);
  } catch {
    return '(arguments that cannot be shown)';
  }
}

async function ask<T>(command: string, ...args: unknown[]): Promise<T | undefined> {
  return (await vscode.commands.executeCommand<T | undefined | null>(command, ...args)) ?? undefined;
}
