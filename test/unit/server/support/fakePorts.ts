import { Emitter } from '../../../../src/base/events.ts';
import type { ActAnswer, ClientApproval, ConnectAnswer, ConnectingClient } from '../../../../src/server/access/clientApproval.ts';
import type {
  CheckAnswer,
  CheckQuery,
  DiagnosticEntry,
  DiagnosticsAnswer,
  DiagnosticsQuery,
  EditorPort,
  OpenEditor,
  SeenFolder,
} from '../../../../src/server/seen/ports/editorPort.ts';
import { FakeActing } from './fakeActing.ts';
import { FakeDebug } from './fakeDebug.ts';
import { FakeDocuments } from './fakeDocuments.ts';
import { FakeLanguage } from './fakeLanguage.ts';
import { FakeTerminals } from './fakeTerminals.ts';
import { FakeTests } from './fakeTests.ts';
import { FakeUnsaved } from './fakeUnsaved.ts';
import { FakeWorkspace } from './fakeWorkspace.ts';

export class FakeEditor implements EditorPort {
  readonly documents = new FakeDocuments();
  readonly language = new FakeLanguage();
  readonly workspace = new FakeWorkspace();
  readonly terminals = new FakeTerminals();
  readonly acting = new FakeActing();
  readonly tests = new FakeTests();
  readonly unsaved = new FakeUnsaved();
  readonly debug = new FakeDebug();
  editors: readonly OpenEditor[] = [
    {
      path: 'src/a.ts',
      uri: 'file:///demo/src/a.ts',
      languageId: 'typescript',
      kind: 'text',
      isActive: true,
      isDirty: true,
      isPinned: false,
      group: 1,
    },
  ];
  folders: readonly SeenFolder[] = [{ name: 'demo', path: '/demo', uri: 'file:///demo', index: 0 }];
  diagnostics: readonly DiagnosticEntry[] = [diagnosticAt(1)];
  readonly queries: DiagnosticsQuery[] = [];
  /** Takes the place of the ready answer. */
  answerDiagnostics: ((query: DiagnosticsQuery, signal: AbortSignal) => Promise<Omit<DiagnosticsAnswer, 'total'>>) | undefined;
  readonly didChangeOpenEditors = new Emitter<void>();
  readonly didChangeDiagnostics = new Emitter<readonly string[] | void>();
  readonly didChangeWorkspaceFolders = new Emitter<void>();
  readonly onDidChangeOpenEditors = this.didChangeOpenEditors.event;
  readonly onDidChangeDiagnostics = this.didChangeDiagnostics.event;
  readonly onDidChangeWorkspaceFolders = this.didChangeWorkspaceFolders.event;

  listOpenEditors(): readonly OpenEditor[] {
    return this.editors;
  }

  listWorkspaceFolders(): readonly SeenFolder[] {
    return this.folders;
  }

  /** Whether there is so little that all of it is known at once. */
  knowsAtOnce = false;

  knownDiagnostics({
    isShown = () => true,
    offset = 0,
    limit = Infinity,
  }: Omit<DiagnosticsQuery, 'path' | 'waitMs'>): DiagnosticsAnswer | undefined {
    const shown = this.diagnostics.filter(({ path }) => isShown(path));
    const answer = { diagnostics: shown.slice(offset, offset + limit), total: shown.length, documents: [], settled: true };
    return this.knowsAtOnce ? answer : undefined;
  }

  readonly checks: CheckQuery[] = [];
  /** What a check finds beside the diagnostics of its files. */
  checkEnds: Partial<CheckAnswer> = {};

  checkFiles(query: CheckQuery): Promise<CheckAnswer> {
    this.checks.push(query);
    const { files, skip, limit } = query;
    const checked = files.slice(0, this.checkEnds.checked);
    const found = checked.flatMap((file, index) => this.diagnostics.filter(({ path }) => path === file).slice(index === 0 ? skip : 0));
    const ends = { checked: files.length, silent: [], unloaded: 0, unheard: [], documents: [], ...this.checkEnds };
    return Promise.resolve({ ...ends, diagnostics: found.slice(0, limit), total: found.length });
  }

  async getDiagnostics(query: DiagnosticsQuery, signal: AbortSignal): Promise<DiagnosticsAnswer> {
    const { isShown = () => true, offset = 0, limit = Infinity, ...asked } = query;
    this.queries.push(asked);
    const ready: Omit<DiagnosticsAnswer, 'total'> = {
      diagnostics: this.diagnostics,
      documents: [{ path: 'src/a.ts', version: 'v3', isDirty: true }],
      settled: true,
    };
    const { diagnostics, documents, settled, unheard, behind } = (await this.answerDiagnostics?.(query, signal)) ?? ready;
    if (query.path !== undefined && !diagnostics.some(({ path }) => path === query.path)) {
      await this.documents.check(query.path);
    }
    const shown = diagnostics.filter(({ path }) => isShown(path));
    return { diagnostics: shown.slice(offset, offset + limit), total: shown.length, documents, settled, unheard, behind };
  }
}

export function diagnosticAt(line: number): DiagnosticEntry {
  return {
    path: 'src/a.ts',
    range: { start: { line, character: 1 }, end: { line, character: 5 } },
    severity: 'error',
    message: `problem ${line}`,
    source: 'ts',
    code: '2322',
  };
}

/** A person who answers when the test says so. */
export class FakeApproval implements ClientApproval {
  readonly asked: ConnectingClient[] = [];
  readonly withdrawn: string[] = [];
  readonly #open = new Map<string, (answer: ConnectAnswer) => void>();
  readonly #automatic: ConnectAnswer | undefined;
  readonly #didAsk = new Emitter<void>();

  constructor(automatic?: ConnectAnswer) {
    this.#automatic = automatic;
  }

  ask(client: ConnectingClient, signal: AbortSignal): Promise<ConnectAnswer> {
    this.asked.push(client);
    if (this.#automatic !== undefined) {
      return Promise.resolve(this.#automatic);
    }
    return new Promise((resolve, reject) => {
      this.#open.set(client.sessionId ?? client.credentialId, resolve);
      signal.addEventListener('abort', () => {
        this.withdrawn.push(client.sessionId ?? client.credentialId);
        this.#open.delete(client.sessionId ?? client.credentialId);
        reject(new DOMException('withdrawn', 'AbortError'));
      });
      this.#didAsk.fire();
    });
  }

  /** What the person says to every act; a test may change it. */
  act: ActAnswer = 'denied';

  confirm(): Promise<ActAnswer> {
    return Promise.resolve(this.act);
  }

  confirmOwn(): Promise<'allowed' | 'denied'> {
    return Promise.resolve(this.act === 'denied' ? 'denied' : 'allowed');
  }

  raiseRole(): Promise<ActAnswer> {
    return Promise.resolve(this.act);
  }

  /** Resolves once `count` questions have been asked in all. */
  async untilAsked(count: number): Promise<void> {
    while (this.asked.length < count) {
      await new Promise<void>((resolve) => {
        const listening = this.#didAsk.event(() => {
          listening.dispose();
          resolve();
        });
      });
    }
  }

  answer(answer: ConnectAnswer): void {
    for (const resolve of this.#open.values()) {
      resolve(answer);
    }
    this.#open.clear();
  }
}

export const allowReader: ConnectAnswer = { kind: 'allowed', role: 'reader' };
