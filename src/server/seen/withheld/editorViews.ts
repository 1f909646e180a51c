// withheld/: wraps the ports for one client: paths that it may not see look absent, and secrets are redacted.
import { collectInSlices } from '../../../base/slices.ts';
import { RealPaths } from '../../../platform/paths/realPath.ts';
import type { TestRun } from '../../../testRuns/testRun.ts';
import type { DiagnosticsAnswer, EditorPort } from '../ports/editorPort.ts';
import type { EndedCommand, WantedCommand, TerminalsPort } from '../ports/terminalsPort.ts';
import type { TestsPort } from '../ports/testsPort.ts';
import type { UnsavedFiles, UnsavedPort } from '../ports/unsavedPort.ts';
import { type ClientGrants, type GrantsPort, noGrants, type Viewer } from '../viewer.ts';
import { withholdingActing } from './acting.ts';
import { withholdingDebug } from './debug.ts';
import { withholdingDocuments } from './documents.ts';
import { withholdingLanguage } from './language.ts';
import { QuotedValues } from './quotedValues.ts';
import { whenSeen, whenShown } from './seenEvents.ts';
import { createVisibility, judgedOnce, requireShown, type Visibility } from './visibility.ts';
import { withholdingWorkspace } from './workspace.ts';

/** Returns what the policy hides from a client: the same function as long as the same is hidden, `undefined` if nothing is. */
export type HiddenFrom = (viewer: Viewer) => ((clientPath: string) => boolean) | undefined;

const nothing = (): undefined => undefined;
const nothingDenied = (): boolean => false;

/** Makes the editor as each client may see it. Clients with the same grants and the same denied paths share a view. */
export class EditorViews {
  readonly #editor: EditorPort;
  readonly #neverShown: readonly string[];
  readonly #grants: GrantsPort | undefined;
  readonly #hiddenFrom: HiddenFrom;
  /** The views by the function that says what is denied: they go away with the rules of the policy. */
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
   * The editor for acting. A person may take their time between a question and the act, so every use is checked anew: what the
   * client may see then, and where links lead then.
   */
  toActFor(viewer: Viewer): EditorPort {
    const now = (): Visibility =>
      this.#visibility(this.#grants?.of(viewer) ?? noGrants, this.#hiddenFrom(viewer) ?? nothingDenied, new RealPaths());
    return withholding(this.#editor, {
      isShown: (path) => now().isShown(path),
      isPath: (path) => now().isPath(path),
      redact: (text) => now().redact(text),
      redactPart: (text, part) => now().redactPart(text, part),
      hide: (text) => now().hide(text),
      get secretLine() {
        return now().secretLine;
      },
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

/** Wraps the editor for one client: the one filter for every tool, resource, prompt and notification. */
export function withholding(editor: EditorPort, visibility: Visibility): EditorPort {
  const { isShown } = visibility;
  const quoted = new QuotedValues(editor, visibility);
  const listOpenEditors: EditorPort['listOpenEditors'] = () => editor.listOpenEditors().filter(({ path }) => isShown(path));
  return {
    documents: withholdingDocuments(editor.documents, visibility),
    language: withholdingLanguage(editor.language, visibility, quoted),
    workspace: withholdingWorkspace(editor.workspace, visibility),
    terminals: withholdingTerminals(editor.terminals, visibility),
    acting: withholdingActing(editor.acting, visibility),
    tests: withholdingTests(editor.tests, visibility),
    unsaved: withholdingUnsaved(editor.unsaved, visibility),
    debug: withholdingDebug(editor.debug, visibility),
    listOpenEditors,
    listWorkspaceFolders: () => editor.listWorkspaceFolders(),
    ...withholdingDiagnostics(editor, visibility, quoted),
    checkFiles: withholdingChecks(editor, visibility, quoted),
    onDidChangeOpenEditors: whenSeen(editor.onDidChangeOpenEditors, listOpenEditors),
    onDidChangeDiagnostics: whenShown(editor.onDidChangeDiagnostics, isShown),
    onDidChangeWorkspaceFolders: editor.onDidChangeWorkspaceFolders,
  };
}

/** Wraps diagnostics: withheld files are left out, and what messages quote of withheld text is masked. */
export function withholdingDiagnostics(
  editor: EditorPort,
  visibility: Visibility,
  quoted: QuotedValues,
): Pick<EditorPort, 'getDiagnostics' | 'knownDiagnostics'> {
  const { isShown } = visibility;
  const shownOf = (answer: DiagnosticsAnswer, isKnownShown: (path: string) => boolean): DiagnosticsAnswer => ({
    settled: answer.settled,
    total: answer.total,
    diagnostics: answer.diagnostics.filter(({ path }) => isKnownShown(path)),
    documents: answer.documents.filter(({ path }) => isKnownShown(path)),
    unheard: answer.unheard?.filter(isKnownShown),
    behind: answer.behind?.filter(isKnownShown),
  });
  return {
    getDiagnostics: async (query, signal) => {
      const { path } = query;
      if (path !== undefined) {
        requireShown(path, visibility);
      }
      const answer = await editor.getDiagnostics({ ...query, isShown: judgedOnce(isShown) }, signal);
      const diagnostics = await quoted.maskDiagnostics(answer.diagnostics, signal);
      return shownOf({ ...answer, diagnostics }, judgedOnce(isShown)); // checked anew, because it may have waited for language services
    },
    knownDiagnostics: (query) => {
      const isKnownShown = judgedOnce(isShown);
      const answer = editor.knownDiagnostics({ ...query, isShown: isKnownShown });
      // What is said of files is masked by what stands in them, which has to be read.
      const isMasked = visibility.secretLine === undefined || answer?.diagnostics.length === 0;
      return answer === undefined || !isMasked ? undefined : shownOf(answer, isKnownShown);
    },
  };
}

/** Wraps the check of many files in the same way. They were listed for this client, and are judged anew before and after. */
function withholdingChecks(editor: EditorPort, { isShown }: Visibility, quoted: QuotedValues): EditorPort['checkFiles'] {
  return async (query, signal) => {
    const answer = await editor.checkFiles({ ...query, isShown: judgedOnce(isShown) }, signal);
    const isStillShown = judgedOnce(isShown);
    const shown = answer.diagnostics.filter(({ path }) => isStillShown(path));
    return {
      ...answer,
      diagnostics: await quoted.maskDiagnostics(shown, signal),
      documents: answer.documents.filter(({ path }) => isStillShown(path)),
      unheard: answer.unheard.filter(isStillShown),
    };
  };
}

/** Wraps the terminals port. A command can print anything: only secrets can be recognized in it and redacted. */
export function withholdingTerminals(terminals: TerminalsPort, { redact, redactPart, isShown }: Visibility): TerminalsPort {
  const wholes = new WeakMap<WantedCommand, WantedCommand>();
  const shownCommand = <T extends WantedCommand | EndedCommand>(command: T): T => {
    const cwd = command.cwd !== undefined && isShown(command.cwd) ? command.cwd : undefined;
    const shown: T = { ...command, command: redact(command.command), output: '', cwd };
    wholes.set(shown, command);
    return shown;
  };
  return {
    listTerminals: () => terminals.listTerminals().map((terminal) => ({ ...terminal, name: redact(terminal.name) })),
    listCommands: (terminalId) => terminals.listCommands(terminalId).map(shownCommand),
    readOutput: async (command) => {
      const output = wholes.get(command)?.output ?? '';
      return redactPart(output, { from: 0, to: output.length });
    },
    explainEmpty: (terminalId) => terminals.explainEmpty(terminalId),
    onDidChangeTerminal: terminals.onDidChangeTerminal,
    onDidChangeTerminals: terminals.onDidChangeTerminals,
    onDidEndCommand: (listener) => terminals.onDidEndCommand((ended) => listener(shownCommand(ended))),
  };
}

/** Wraps the tests port: secrets are redacted, and withheld files are not named as places of failures. */
export function withholdingTests(tests: TestsPort, visibility: Visibility): TestsPort {
  const seen = (run: TestRun): Promise<TestRun> => seenRun(run, visibility);
  return {
    listRuns: () => tests.listRuns().map((run) => ({ ...run, command: visibility.redact(run.command) })),
    findRun: async (id) => {
      const run = await tests.findRun(id);
      return run === undefined ? undefined : seen(run);
    },
    latestId: () => tests.latestId(),
    onDidChangeRun: tests.onDidChangeRun,
    onDidChangeRuns: tests.onDidChangeRuns,
    plan: (request) => tests.plan({ ...request, isShown: visibility.isShown }),
    start: async (plan, signal) => {
      const started = await tests.start(plan, signal);
      return { id: started.id, ended: started.ended.then(seen), cancel: () => started.cancel() };
    },
    begin: (start) => {
      const recorder = tests.begin(start);
      return { id: recorder.id, write: (text) => recorder.write(text), end: async (end) => seen(await recorder.end(end)) };
    },
  };
}

/** Works in slices: what a run wrote may be long, and is looked at whole, so that no secret is cut before it is recognized. */
async function seenRun(run: TestRun, { redact, redactPart, isShown }: Visibility): Promise<TestRun> {
  const failures = await collectInSlices(run.failures, ({ name, message, path, line }) => ({
    name: redact(name),
    message: redact(message),
    ...(path !== undefined && isShown(path) && { path, ...(line !== undefined && { line }) }),
  }));
  const output = await redactPart(run.output, { from: 0, to: run.output.length });
  return {
    ...run,
    command: redact(run.command),
    ...(run.filter !== undefined && { filter: redact(run.filter) }),
    ...(run.folders !== undefined && { folders: run.folders.map((each) => ({ ...each, command: redact(each.command) })) }),
    failures,
    output,
  };
}

/**
 * Wraps the port for unsaved text. Withheld files can be unsaved, too: they are named to the person, and the client learns nothing
 * of them.
 */
function withholdingUnsaved(unsaved: UnsavedPort, { isShown }: Visibility): UnsavedPort {
  const seen = ({ paths, withheld }: UnsavedFiles): UnsavedFiles => ({
    paths: paths.filter((path) => isShown(path)),
    withheld: [...withheld, ...paths.filter((path) => !isShown(path))],
  });
  return { list: () => seen(unsaved.list()), save: async (paths) => seen(await unsaved.save(paths)) };
}
