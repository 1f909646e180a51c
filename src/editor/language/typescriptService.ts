import { stat } from 'node:fs/promises';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { LanguageCoverage } from '../../server/seen/ports/languagePort.ts';
import { fromClientPath } from '../shared/clientPlaces.ts';
import type { ServiceFiles } from '../documents/diskNews.ts';
import { findTextDocument } from '../shared/openDocuments.ts';
import type { LanguageService } from './languageService.ts';

const languages: ReadonlySet<string> = new Set(['typescript', 'typescriptreact', 'javascript', 'javascriptreact']);

/** The source by which VS Code names what its TypeScript service says. */
const source = 'ts';

/** The part of a VS Code diagnostic that is told to clients. These objects are not shown in the editor. */
export interface SaidDiagnostic {
  readonly range: vscode.Range;
  readonly severity: vscode.DiagnosticSeverity;
  readonly message: string;
  readonly source?: string | undefined;
  readonly code?: vscode.Diagnostic['code'] | undefined;
}

export function isTypescript({ languageId, uri }: vscode.TextDocument): boolean {
  return languages.has(languageId) && (uri.scheme === 'file' || uri.scheme === 'untitled');
}

/** Whether the TypeScript service speaks of files with this name, as far as a name tells. */
export function isTypescriptName({ path: name }: vscode.Uri): boolean {
  return /\.[cm]?[jt]sx?$/i.test(name);
}

/** Whether VS Code's TypeScript service said it, about TypeScript or JavaScript. */
export function isOfTypescript(entry: SaidDiagnostic): boolean {
  return entry.source === source || entry.source === 'js';
}

/**
 * Asks VS Code's TypeScript service about a loaded document. By itself it reports only on files that have a tab, and it
 * does not report that a file is without problems.
 *
 * @returns nothing when it does not answer: it is switched off, or another one has taken its place
 */
export function askTypescript({ uri }: vscode.TextDocument): Promise<readonly SaidDiagnostic[] | undefined> {
  return askService((what) => vscode.commands.executeCommand('typescript.tsserverRequest', what, { file: uri }), true);
}

/**
 * Asks about a file on the disk that nobody has opened. The service knows it only if it belongs to a project of which a file is
 * open. What a person types is answered first.
 *
 * @returns nothing when it does not know the file, or does not answer
 */
export function askTypescriptOfClosed(
  { fsPath }: vscode.Uri,
  withHints: boolean,
  token: vscode.CancellationToken,
): Promise<readonly SaidDiagnostic[] | undefined> {
  const ask = (what: string): Thenable<unknown> =>
    vscode.commands.executeCommand('typescript.tsserverRequest', what, { file: fsPath }, { lowPriority: true }, token);
  return askService(ask, withHints);
}

async function askService(
  execute: (what: string) => Thenable<unknown>,
  withHints: boolean,
): Promise<readonly SaidDiagnostic[] | undefined> {
  const ask = async (what: string): Promise<readonly SaidDiagnostic[] | undefined> => bodyOf(await execute(what))?.map(toDiagnostic);
  const requests = ['syntacticDiagnosticsSync', 'semanticDiagnosticsSync', ...(withHints ? ['suggestionDiagnosticsSync'] : [])];
  try {
    const [syntactic, semantic, suggestions = []] = await Promise.all(requests.map(ask));
    return syntactic === undefined || semantic === undefined ? undefined : [...syntactic, ...semantic, ...suggestions];
  } catch {
    return undefined;
  }
}

export const typescriptFiles: ServiceFiles = {
  // As the person can; questions that follow are answered after it.
  readAgain: async () => {
    await Promise.resolve(vscode.commands.executeCommand('typescript.reloadProjects')).catch(() => undefined); // switched off
  },
  // Of a file that it does not have it says nothing at all.
  stillHas: async ({ fsPath }) => {
    const asked = vscode.commands.executeCommand('typescript.tsserverRequest', 'syntacticDiagnosticsSync', { file: fsPath });
    return bodyOf(await Promise.resolve(asked).catch(() => undefined)) !== undefined;
  },
};

/** The part that is used of what the service's own protocol calls a diagnostic. */
interface ServiceDiagnostic {
  readonly start: ServicePlace;
  readonly end: ServicePlace;
  readonly text: string;
  readonly category: string;
  readonly code?: number;
  readonly source?: string;
}

interface ServicePlace {
  readonly line: number;
  readonly offset: number;
}

function bodyOf(answer: unknown): readonly ServiceDiagnostic[] | undefined {
  const isResponse = typeof answer === 'object' && answer !== null && 'body' in answer && Array.isArray(answer.body);
  return isResponse ? (answer.body as readonly ServiceDiagnostic[]) : undefined;
}

function toDiagnostic({ start, end, text, category, code, source: said = source }: ServiceDiagnostic): SaidDiagnostic {
  const range = new vscode.Range(toPosition(start), toPosition(end));
  return { range, message: text, severity: severityOf(category), source: said, code };
}

function toPosition({ line, offset }: ServicePlace): vscode.Position {
  return new vscode.Position(Math.max(0, line - 1), Math.max(0, offset - 1));
}

function severityOf(category: string): vscode.DiagnosticSeverity {
  switch (category) {
    case 'error':
      return vscode.DiagnosticSeverity.Error;
    case 'warning':
      return vscode.DiagnosticSeverity.Warning;
    case 'suggestion':
      return vscode.DiagnosticSeverity.Hint;
    default:
      return vscode.DiagnosticSeverity.Information;
  }
}

/** Which language service covers a file. The file was asked about just now, so that it is open. */
export async function coverageOf(service: LanguageService, clientPath: string): Promise<LanguageCoverage> {
  const document = findTextDocument(fromClientPath(clientPath).toString());
  if (document === undefined || !service.hasAnswered(document.languageId)) {
    return 'none';
  }
  const isAlone = isTypescript(document) && document.uri.scheme === 'file' && !(await hasProject(path.dirname(document.uri.fsPath)));
  return isAlone ? 'alone' : 'project';
}

/** Whether the TypeScript service finds a project for a file: it looks in the folders above it, up to the root. */
async function hasProject(folder: string): Promise<boolean> {
  const candidates = ['tsconfig.json', 'jsconfig.json'].map((name) => path.join(folder, name));
  const found = await Promise.all(
    candidates.map((file) =>
      stat(file).then(
        (entry) => entry.isFile(),
        () => false,
      ),
    ),
  );
  const above = path.dirname(folder);
  return found.includes(true) || (above !== folder && hasProject(above));
}
