import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { hasCode } from '../../base/errors.ts';
import { checkedDocument } from '../documents/checkedDocument.ts';
import type { DiskNews } from '../documents/diskNews.ts';
import type { IsShown } from '../../server/seen/ports/documentsPort.ts';
import { toClientPath } from '../shared/clientPlaces.ts';
import { findTextDocument, isStillThere, openTabs } from '../shared/openDocuments.ts';
import { askTypescript, isOfTypescript, isTypescript, type SaidDiagnostic } from './typescriptService.ts';

/** The most files that are asked about anew for one list. */
const maxAsked = 100;
/** The most files whose answers are kept; the oldest one is dropped. */
const maxKept = 1_000;

/** The longest, in ms, that all files of one list are looked for on the disk. */
const maxLookMs = 20;

type Reported = readonly (readonly [vscode.Uri, readonly vscode.Diagnostic[]])[];

/** What limits the work for one list. */
interface Asking {
  /** The end of the waiting, by `performance.now()`. */
  readonly deadline: number;
  readonly isShown?: IsShown | undefined;
  readonly signal: AbortSignal;
}

/**
 * What VS Code's TypeScript service says about files, for one file and for a list alike. VS Code's own list of problems is not
 * enough: it keeps what was reported of a file that had a tab for a while after that tab is closed, whatever becomes of the file.
 */
export class FreshAnswers {
  readonly #disk: DiskNews;
  readonly #said = new Map<string, { readonly era: number; readonly answer: readonly SaidDiagnostic[] }>();

  constructor(disk: DiskNews) {
    this.#disk = disk;
  }

  /** Asks about a document as it is now; `undefined` when there was no answer in time. */
  async ask(document: vscode.TextDocument, { deadline, signal }: Asking): Promise<readonly SaidDiagnostic[] | undefined> {
    for (;;) {
      const { version } = document;
      const { era } = this.#disk;
      const answer = await atMost(askTypescript(document), Math.max(0, deadline - performance.now()), signal);
      if (answer === undefined) {
        return undefined;
      }
      if (document.version === version) {
        this.#keep(document.uri, era, answer);
        return withOthers(answer, vscode.languages.getDiagnostics(document.uri));
      }
    }
  }

  /**
   * Asks anew about the files of a list, and those with a tab, of which something may have changed since they were asked about.
   * Returns those that could not be asked.
   */
  async refresh(reported: Reported, asking: Asking): Promise<readonly vscode.Uri[]> {
    const { isShown = () => true, deadline, signal } = asking;
    const stale: vscode.Uri[] = [];
    let asked = 0;
    for (const uri of toJudge(reported)) {
      if (this.isKnown(uri) || !isShown(toClientPath(uri))) {
        continue;
      }
      asked += 1;
      const isLate = asked > maxAsked || performance.now() >= deadline;
      if (isLate || (await this.#askAnew(uri, asking)) === undefined) {
        stale.push(uri);
      }
      signal.throwIfAborted();
    }
    return stale;
  }

  /** VS Code's list with the files that have a tab, and problems by now that VS Code has not reported yet. */
  withTabs(reported: Reported): Reported {
    const listed = new Set(reported.map(([uri]) => uri.toString()));
    const others = toJudge([]).filter((uri) => !listed.has(uri.toString()) && (this.#known(uri)?.length ?? 0) > 0);
    return others.length === 0 ? reported : [...reported, ...others.map((uri) => [uri, []] as const)];
  }

  /** The entries of one file of VS Code's list, with what the service says by now instead of what it said once. */
  entriesOf(uri: vscode.Uri, reported: readonly vscode.Diagnostic[]): readonly SaidDiagnostic[] {
    const answer = this.#known(uri);
    return answer === undefined ? reported : withOthers(answer, reported);
  }

  isKnown(uri: vscode.Uri): boolean {
    return this.#known(uri) !== undefined;
  }

  #known(uri: vscode.Uri): readonly SaidDiagnostic[] | undefined {
    const said = this.#said.get(uri.toString());
    return said?.era === this.#disk.era ? said.answer : undefined;
  }

  async #askAnew(uri: vscode.Uri, asking: Asking): Promise<readonly SaidDiagnostic[] | undefined> {
    const { isShown, signal, deadline } = asking;
    const load = checkedDocument(uri, { path: toClientPath(uri), isShown, signal });
    try {
      const document = await atMost(load, deadline - performance.now(), signal);
      return document === undefined ? undefined : isTypescript(document) ? await this.ask(document, asking) : [];
    } catch (error) {
      signal.throwIfAborted();
      return hasCode(error, 'editor.pathNotFound') ? [] : undefined;
    }
  }

  #keep(uri: vscode.Uri, era: number, answer: readonly SaidDiagnostic[]): void {
    const name = uri.toString();
    this.#said.delete(name);
    this.#said.set(name, { era, answer });
    const [oldest] = this.#said.keys();
    if (this.#said.size > maxKept && oldest !== undefined) {
      this.#said.delete(oldest);
    }
  }
}

/** The files on disk of which the TypeScript service speaks, or may speak: those of the list, and those with a tab. */
function toJudge(reported: Reported): vscode.Uri[] {
  const files = new Map<string, vscode.Uri>();
  for (const [uri, entries] of reported) {
    if (uri.scheme === 'file' && entries.some(isOfTypescript)) {
      files.set(uri.toString(), uri);
    }
  }
  for (const { uri } of openTabs()) {
    const document = uri.scheme === 'file' ? findTextDocument(uri.toString()) : undefined;
    if (document !== undefined && isTypescript(document)) {
      files.set(uri.toString(), uri);
    }
  }
  return [...files.values()];
}

/**
 * The service's answer with what others say of the same file. A plugin of the service has a name of its own as source, and VS Code
 * reports it too.
 */
function withOthers(answer: readonly SaidDiagnostic[], reported: readonly vscode.Diagnostic[]): readonly SaidDiagnostic[] {
  const isSaid = (entry: SaidDiagnostic): boolean =>
    isOfTypescript(entry) || answer.some(({ message, range }) => entry.message === message && entry.range.isEqual(range));
  return [...answer, ...reported.filter((entry) => !isSaid(entry))];
}

/** The files of a list that are still there. Unsaved text is, whatever the disk has; so is what could not be looked for in time. */
export function withFile(reported: Reported): Reported {
  const until = performance.now() + maxLookMs;
  return reported.filter(([uri]) => performance.now() > until || isStillThere(uri));
}
