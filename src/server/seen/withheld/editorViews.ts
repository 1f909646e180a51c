// withheld/: the same ports again, for one client: paths it may not see are not there, and secrets are redacted.
import { RealPaths } from '../../../platform/paths/realPath.ts';
import type { TestRun } from '../../../testRuns/testRun.ts';
import type { DiagnosticsAnswer, EditorPort } from '../ports/editorPort.ts';
import type { EndedCommand, TerminalCommand, TerminalsPort } from '../ports/terminalsPort.ts';
import type { TestsPort } from '../ports/testsPort.ts';
import type { UnsavedFiles, UnsavedPort } from '../ports/unsavedPort.ts';
import { type ClientGrants, type GrantsPort, noGrants, type Viewer } from '../viewer.ts';
import { withholdingActing } from './acting.ts';
import { withholdingDocuments } from './documents.ts';
import { withholdingLanguage } from './language.ts';
import { whenSeen, whenShown } from './seenEvents.ts';
import { createVisibility, judgedOnce, requireShown, type Visibility } from './visibility.ts';
import { withholdingWorkspace } from './workspace.ts';

/** What the person's policy hides from a client: the same function as long as it hides the same, `undefined` for nothing. */
export type HiddenFrom = (viewer: Viewer) => ((clientPath: string) => boolean) | undefined;

const nothing = (): undefined => undefined;
const nothingDenied = (): boolean => false;

/** The editor as each client may see it. Clients with the same grants and denials see the same. */
export class EditorViews {
  readonly #editor: EditorPort;
  readonly #neverShown: readonly string[];
  readonly #grants: GrantsPort | undefined;
  readonly #hiddenFrom: HiddenFrom;
  /** By what is denied: with the rules the views go. */
  readonly #views = new WeakMap<(clientPath: string) => boolean, Map<string, EditorPort>>();
  readonly #realPaths = new RealPaths();

  constructor(editor: EditorPort, neverShown: readonly string[], grants: GrantsPort | undefined, hiddenFrom: HiddenFrom = nothing) {
    this.#editor = editor;
    this.#neverShown = neverShown;
    this.#grants = grants;
    this.#hiddenFrom = hiddenFrom;
  }

  for(viewer: Viewer): EditorPort {
    return this.#with(this.#grants?.of(viewer) ?? noGrants, this.#hiddenFrom(viewer) ?? nothingDenied);
  }

  /**
   * For what a client does: between the look and the deed a person may take their time, so that every use is judged anew, by
   * what the client may see then and by where links lead then.
   */
  toActFor(viewer: Viewer): EditorPort {
    const now = (): Visibility =>
      this.#visibility(this.#grants?.of(viewer) ?? noGrants, this.#hiddenFrom(viewer) ?? nothingDenied, new RealPaths());
    return withholding(this.#editor, {
      isShown: (path) => now().isShown(path),
      redact: (text) => now().redact(text),
      redactPart: (text, part) => now().redactPart(text, part),
      hide: (text) => now().hide(text),
    });
  }

  #visibility(grants: ClientGrants, isDenied: (clientPath: string) => boolean, realPaths: RealPaths): Visibility {
    const folders = (): ReturnType<EditorPort['listWorkspaceFolders']> => this.#editor.listWorkspaceFolders();
    return createVisibility({ folders, neverShown: this.#neverShown, grants, isDenied, realPaths });
  }

  #with(grants: ClientGrants, isDenied: (clientPath: string) => boolean): EditorPort {
    const key = `${grants.sensitive} ${grants.outside}`;
    const views = this.#views.get(isDenied) ?? new Map<string, EditorPort>();
    this.#views.set(isDenied, views);
    const known = views.get(key);
    if (known !== undefined) {
      return known;
    }
    const view = withholding(this.#editor, this.#visibility(grants, isDenied, this.#realPaths));
    views.set(key, view);
    return view;
  }
}

/** The editor as one client may see it: one filter for every tool, resource, prompt and notification. */
export function withholding(editor: EditorPort, visibility: Visibility): EditorPort {
  const { isShown } = visibility;
  const listOpenEditors: EditorPort['listOpenEditors'] = () => editor.listOpenEditors().filter(({ path }) => isShown(path));
  return {
    documents: withholdingDocuments(editor.documents, visibility),
    language: withholdingLanguage(editor.language, visibility),
    workspace: withholdingWorkspace(editor.workspace, visibility),
    terminals: withholdingTerminals(editor.terminals, visibility),
    acting: withholdingActing(editor.acting, visibility),
    tests: withholdingTests(editor.tests, visibility),
    unsaved: withholdingUnsaved(editor.unsaved, visibility),
    listOpenEditors,
    listWorkspaceFolders: () => editor.listWorkspaceFolders(),
    ...withholdingDiagnostics(editor, visibility),
    onDidChangeOpenEditors: whenSeen(editor.onDidChangeOpenEditors, listOpenEditors),
    onDidChangeDiagnostics: whenShown(editor.onDidChangeDiagnostics, isShown),
    onDidChangeWorkspaceFolders: editor.onDidChangeWorkspaceFolders,
  };
}

/** Diagnostics of what the client may see; their text may quote secrets. */
export function withholdingDiagnostics(
  editor: EditorPort,
  visibility: Visibility,
): Pick<EditorPort, 'getDiagnostics' | 'knownDiagnostics'> {
  const { isShown, redact } = visibility;
  const seen = (answer: DiagnosticsAnswer, isKnownShown: (path: string) => boolean): DiagnosticsAnswer => ({
    settled: answer.settled,
    total: answer.total,
    diagnostics: answer.diagnostics
      .filter(({ path }) => isKnownShown(path))
      .map((entry) => {
        const message = redact(entry.message);
        return message === entry.message ? entry : { ...entry, message };
      }),
    documents: answer.documents.filter(({ path }) => isKnownShown(path)),
    unheard: answer.unheard?.filter(isKnownShown),
  });
  return {
    getDiagnostics: async (query, signal) => {
      if (query.path !== undefined) {
        requireShown(query.path, visibility);
      }
      const answer = await editor.getDiagnostics({ ...query, isShown: judgedOnce(isShown) }, signal);
      return seen(answer, judgedOnce(isShown)); // judged anew: it may have waited for language services
    },
    knownDiagnostics: (query) => {
      const isKnownShown = judgedOnce(isShown);
      const answer = editor.knownDiagnostics({ ...query, isShown: isKnownShown });
      return answer === undefined ? undefined : seen(answer, isKnownShown);
    },
  };
}

/** Terminals as one client may see them. What a command printed may be anything: only the secrets in it are known. */
export function withholdingTerminals(terminals: TerminalsPort, { redact, isShown }: Visibility): TerminalsPort {
  const shownCommand = <T extends TerminalCommand | EndedCommand>(command: T): T => ({
    ...command,
    command: redact(command.command),
    // When it is looked at: of many outputs an answer has room for few.
    get output() {
      return redact(command.output);
    },
    cwd: command.cwd !== undefined && isShown(command.cwd) ? command.cwd : undefined,
  });
  return {
    listTerminals: () => terminals.listTerminals().map((terminal) => ({ ...terminal, name: redact(terminal.name) })),
    listCommands: (terminalId) => terminals.listCommands(terminalId).map(shownCommand),
    explainEmpty: (terminalId) => terminals.explainEmpty(terminalId),
    onDidChangeTerminal: terminals.onDidChangeTerminal,
    onDidChangeTerminals: terminals.onDidChangeTerminals,
    onDidEndCommand: (listener) => terminals.onDidEndCommand((ended) => listener(shownCommand(ended))),
  };
}

/** Runs without the secrets in their text, and without the names of withheld files as places. */
export function withholdingTests(tests: TestsPort, visibility: Visibility): TestsPort {
  const seen = (run: TestRun): TestRun => seenRun(run, visibility);
  return {
    listRuns: () => tests.listRuns().map((run) => ({ ...run, command: visibility.redact(run.command) })),
    findRun: (id) => {
      const run = tests.findRun(id);
      return run === undefined ? undefined : seen(run);
    },
    latestId: () => tests.latestId(),
    onDidChangeRun: tests.onDidChangeRun,
    onDidChangeRuns: tests.onDidChangeRuns,
    plan: (filter) => tests.plan(filter),
    start: async (plan) => {
      const started = await tests.start(plan);
      return { id: started.id, ended: started.ended.then(seen), cancel: () => started.cancel() };
    },
    begin: (start) => {
      const recorder = tests.begin(start);
      return { id: recorder.id, write: (text) => recorder.write(text), end: async (end) => seen(await recorder.end(end)) };
    },
  };
}

function seenRun(run: TestRun, visibility: Visibility): TestRun {
  const redact = (text: string): string => visibility.redact(text);
  return {
    ...run,
    command: redact(run.command),
    failures: run.failures.map(({ name, message, path, line }) => ({
      name: redact(name),
      message: redact(message),
      ...(path !== undefined && visibility.isShown(path) && { path, ...(line !== undefined && { line }) }),
    })),
    output: redact(run.output),
  };
}

/** What a client may not see is unsaved all the same: the person is shown it by name, the client is told nothing of it. */
function withholdingUnsaved(unsaved: UnsavedPort, { isShown }: Visibility): UnsavedPort {
  const seen = ({ paths, withheld }: UnsavedFiles): UnsavedFiles => ({
    paths: paths.filter((path) => isShown(path)),
    withheld: [...withheld, ...paths.filter((path) => !isShown(path))],
  });
  return { list: () => seen(unsaved.list()), save: async (paths) => seen(await unsaved.save(paths)) };
}
