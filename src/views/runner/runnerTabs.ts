import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Event } from '../../base/events.ts';
import type { JsonObject } from '../../base/json.ts';
import { type Disposable, type DisposableStore, toDisposable } from '../../base/lifecycle.ts';
import type { Log } from '../../base/log.ts';
import type { RunPress } from '../../consent/consentModel.ts';
import type { ArgumentRefusal } from '../../contract/forms/formFields.ts';
import type { ValueSource } from '../../contract/pages/pageLimits.ts';
import { maxPresetName, runnerStored, runnerToHost, type RunnerTool, type runnerToView } from '../../contract/pages/runnerMessages.ts';
import { parseArguments } from '../../host/tools/askedCall.ts';
import type { ToolKey } from '../../contract/chat/contextBudget.ts';
import type { NotWritten } from '../../host/byHand/keptFile.ts';
import { type KeptRuns, KeptUndo, type NotKept } from '../../host/byHand/keptRuns.ts';
import { type CallHooks, type EndedRun, ToolByHand } from '../../host/byHand/toolByHand.ts';
import { readableJson } from '../../host/shared/shownJson.ts';
import { toResultItems } from '../../host/tools/resultItems.ts';
import type { RawToolResult } from '../../host/connection/serverSession.ts';
import type { ServerSnapshot, ToolInfo } from '../../host/shared/serverState.ts';
import { argumentsShown, type CallOutcome, type ShownDefinition } from '../../host/tools/toolCaller.ts';
import { takesArguments, toolParameters } from '../../schemaForms/toolArguments.ts';
import { type ErrorReporter, errorSentence } from '../errorReporter.ts';
import { openExternalLink } from '../native/externalLink.ts';
import { nativeText } from '../nativeText.ts';
import { PagePanel } from '../pages/pagePanel.ts';
import type { Handlers } from '../pages/webviewLink.ts';
import type { ReadOnlyDocuments } from '../native/readOnlyDocuments.ts';
import { viewError } from '../sentences/viewErrors.ts';
import type { MediaDocuments } from './mediaDocuments.ts';
import { shownRun, ShownTool } from './shownTool.ts';
import { resultMedia, resultDocument } from './toolResults.ts';

/**
 * How long, in ms, a tab of before a reload waits for the servers to be known. After that it is shown without them, and updated
 * later.
 */
const maxKnownMs = 10_000;

/** Keeps the open tabs of Run Tool, at most one for each tool. */
export class RunnerTabs implements Disposable {
  readonly #ports: ToolRunnerPorts;
  readonly #tabs = new Map<string, ToolRunnerTab>();

  constructor(ports: ToolRunnerPorts) {
    this.#ports = ports;
  }

  open(serverId: string, tool: ToolInfo): void {
    const tab = this.#tab({ serverId, tool: tool.name });
    tab.show();
    if (!takesArguments(toolParameters(tool.inputSchema))) {
      tab.runAtOnce();
    }
  }

  showRun(key: ToolKey, ended: EndedRun): void {
    this.#tab(key).showRun(ended);
  }

  /**
   * Fills a tab that was there before a reload of the window, unless the person closes it first. A tab that does not say which tool
   * it was for, or is a second one, is closed.
   */
  async restore(panel: vscode.WebviewPanel, stored: unknown): Promise<void> {
    const gone = new AbortController();
    panel.onDidDispose(() => gone.abort());
    await atMost(this.#ports.serversKnown, maxKnownMs);
    if (gone.signal.aborted) {
      return;
    }
    const { data } = runnerStored.safeParse(stored);
    if (data === undefined || this.#tabs.has(nameOf(data.key))) {
      panel.dispose();
    } else {
      this.#tab(data.key).restore(panel);
    }
  }

  /** Lets go of the pages; the tabs stay, because a window that is reloaded shows them again. */
  dispose(): void {
    [...this.#tabs.values()].forEach((tab) => tab.dispose());
  }

  #tab(key: ToolKey): ToolRunnerTab {
    const name = nameOf(key);
    const tab = this.#tabs.get(name) ?? new ToolRunnerTab(key, this.#ports, () => this.#tabs.delete(name));
    this.#tabs.set(name, tab);
    return tab;
  }
}

function nameOf({ serverId, tool }: ToolKey): string {
  return JSON.stringify([serverId, tool]);
}

/** The most characters of a tool's name in the title of a tab. */
const maxTitle = 40;

/** A result that is attached to the chat. */
export interface HandedResult extends ToolKey {
  readonly server: string;
  readonly arguments: JsonObject;
  readonly result: RawToolResult;
}

interface ToolRunnerPorts {
  readonly extensionUri: vscode.Uri;
  readonly servers: () => readonly ServerSnapshot[];
  /** Resolves when it is known which servers there are. Before that, a missing server does not mean that a tool is gone. */
  readonly serversKnown: Promise<void>;
  readonly onDidChange: Event<void>;
  readonly call: (key: ToolKey, args: JsonObject, hooks: CallHooks, press?: RunPress) => Promise<CallOutcome>;
  /** The definition of a tool that Run is the consent for; undefined where the person is asked in any case. */
  readonly definitionOf: (key: ToolKey) => ShownDefinition | undefined;
  /** Checks arguments against the tool's whole schema; finds nothing while its server does not run. */
  readonly check: (key: ToolKey, args: JsonObject, signal: AbortSignal) => Promise<readonly ArgumentRefusal[]>;
  readonly kept: KeptRuns;
  readonly valueFrom: (source: ValueSource) => Promise<string | undefined>;
  readonly sendToChat: (result: HandedResult) => Promise<void>;
  /** Shows the page that the server gave to the tool, in a tab of its own, after the person was asked. */
  readonly openApp: (shown: HandedResult & { readonly uri: string }) => Promise<void>;
  readonly openResource: (ref: { readonly serverId: string; readonly uri: string }) => Promise<void>;
  readonly documents: ReadOnlyDocuments;
  readonly media: MediaDocuments;
  readonly reporter: ErrorReporter;
  readonly clock: Clock;
  readonly log: Log;
}

/** The tab of Run Tool for one tool, with its form and the result of the last run. Closing the tab stops what runs in it. */
class ToolRunnerTab implements Disposable {
  readonly #key: ToolKey;
  readonly #ports: ToolRunnerPorts;
  readonly #page: PagePanel<typeof runnerToHost, typeof runnerToView>;
  readonly #byHand: ToolByHand;
  readonly #tool: ShownTool;
  readonly #undo: KeptUndo;
  readonly #onClosed: () => void;
  #checking = new AbortController();
  #notKept: NotKept | undefined;
  #posted: RunnerTool | undefined;
  /** The arguments that the form begins with, when they are not those of the schema. */
  #beginning: string | undefined;

  constructor(key: ToolKey, ports: ToolRunnerPorts, onClosed: () => void) {
    const { extensionUri, clock, log } = ports;
    this.#key = key;
    this.#ports = ports;
    this.#onClosed = onClosed;
    this.#tool = new ShownTool(key);
    this.#undo = new KeptUndo(ports.kept, key);
    this.#byHand = new ToolByHand({ call: (args, hooks, press) => ports.call(key, args, hooks, press), clock });
    const title = vscode.l10n.t('Run {0}', nativeText(key.tool, maxTitle));
    const onOpen = (lifetime: DisposableStore): void => this.#open(lifetime);
    const handlers = this.#handlers();
    this.#page = new PagePanel({
      page: 'runner',
      title,
      extensionUri,
      messages: runnerToHost,
      handlers,
      isKeptWhenHidden: true,
      isRestored: true,
      onOpen,
      log,
    });
  }

  show(): void {
    this.#page.show();
  }

  /** Fills the tab after a reload of the window. The page has kept what was typed into it. */
  restore(panel: vscode.WebviewPanel): void {
    this.#page.adopt(panel);
  }

  /**
   * Shows a run that was made elsewhere. A new tab gets its arguments in the form; while a tab runs something itself, the result
   * is opened as a document.
   */
  showRun(ended: EndedRun): void {
    this.#beginning ??= readableJson(ended.arguments);
    this.#page.show();
    if (!this.#byHand.adopt(ended)) {
      this.#do(() => this.#openInEditor(ended));
    }
  }

  /** Runs a tool that takes no arguments. */
  runAtOnce(): void {
    this.#run({});
  }

  dispose(): void {
    this.#page.dispose();
  }

  #open(lifetime: DisposableStore): void {
    const { onDidChange, kept } = this.#ports;
    lifetime.add(toDisposable(() => this.#onClosed()));
    lifetime.add(toDisposable(() => this.#checking.abort()));
    lifetime.add(this.#byHand);
    lifetime.add(this.#byHand.onDidChange(() => this.#postRun()));
    lifetime.add(onDidChange(() => this.#postTool()));
    lifetime.add(kept.onDidChange(() => this.#postKept()));
  }

  #handlers(): Handlers<typeof runnerToHost> {
    const { valueFrom } = this.#ports;
    return {
      ready: () => {
        this.#posted = undefined;
        this.#postTool();
        this.#postKept();
        this.#postRun();
      },
      'runner/run': ({ arguments: text, definition }) => this.#do(() => this.#run(parseArguments(text), definition)),
      'runner/stop': () => this.#byHand.stop(),
      'runner/again': () => this.#withLast((ended) => this.#run(ended.arguments)),
      'runner/sendToChat': () => this.#withLast((ended) => this.#sendToChat(ended)),
      'runner/openApp': () => this.#withLast((ended) => this.#openApp(ended)),
      'runner/open': () => this.#withLast((ended) => this.#openInEditor(ended)),
      'runner/value': ({ requestId, source }) =>
        void valueFrom(source).then(
          (text) => this.#page.post('runner/value', { requestId, ...(text === undefined ? {} : { text }) }),
          (error: unknown) => this.#page.post('runner/value', { requestId, problem: errorSentence(error) }),
        ),
      'runner/check': ({ requestId, arguments: text }) => this.#check(requestId, text),
      'runner/savePreset': ({ arguments: text }) => this.#change(() => this.#savePreset(parseArguments(text))),
      'runner/removePreset': ({ id }) => this.#change(() => this.#undo.removePreset(id)),
      'runner/forgetRuns': () => this.#change(() => this.#undo.forgetRuns()),
      'runner/undoRemove': () => this.#change(() => this.#undo.undo()),
      'runner/openResource': ({ uri }) => this.#withLast((ended) => this.#openResource(ended, uri)),
      'link/open': ({ href }) => this.#do(() => openExternalLink(href)),
    };
  }

  /** Tells the page what is wrong with the arguments while the person types. It is only a help: the server checks what is sent. */
  #check(requestId: number, text: string): void {
    this.#checking.abort();
    this.#checking = new AbortController();
    const { signal } = this.#checking;
    const { check, kept } = this.#ports;
    const looking = async (): Promise<readonly ArgumentRefusal[]> => check(this.#key, parseArguments(text), signal);
    const mayKeep = async (): Promise<boolean> => kept.mayKeep(this.#key, parseArguments(text));
    void Promise.all([looking().catch(() => []), mayKeep().catch(() => false)]).then(([refusals, isKept]) =>
      this.#page.post('runner/checked', { requestId, refusals: [...refusals], mayKeep: isKept }),
    );
  }

  /** `definition` is given when the person pressed Run with it and the arguments in view; without it they are asked. */
  #run(args: JsonObject, definition?: string): void {
    this.#do(async () => {
      const press = definition === undefined ? undefined : { definition, arguments: argumentsShown(args) };
      const ended = await this.#byHand.start(args, press);
      // A call that was never made is not remembered.
      if (ended?.elapsedMs !== undefined && ended.outcome.kind !== 'denied') {
        this.#notKept = await this.#ports.kept.note(this.#key, ended.arguments, endingOf(ended.outcome));
        this.#postRun();
      }
    });
  }

  async #savePreset(args: JsonObject): Promise<NotKept | NotWritten | undefined> {
    const { kept } = this.#ports;
    const known = kept.of(this.#key).presets.map(({ name }) => name);
    const name = await vscode.window.showInputBox({
      title: vscode.l10n.t('Save Preset'),
      prompt: vscode.l10n.t('A name for these arguments'),
      ignoreFocusOut: true,
      validateInput: (typed) => {
        if (typed.trim().length > maxPresetName) {
          return vscode.l10n.t('At most {0} characters.', maxPresetName);
        }
        const replaced = vscode.l10n.t('The preset of this name is replaced.');
        return known.includes(typed.trim()) ? { message: replaced, severity: vscode.InputBoxValidationSeverity.Info } : undefined;
      },
    });
    return name === undefined || name.trim() === '' ? undefined : kept.savePreset(this.#key, name, args);
  }

  async #sendToChat({ outcome, arguments: args }: EndedRun): Promise<void> {
    if (outcome.kind === 'result') {
      await this.#ports.sendToChat({ ...this.#key, server: this.#tool.server, arguments: args, result: outcome.result });
    }
  }

  async #openInEditor({ outcome }: EndedRun): Promise<void> {
    if (outcome.kind === 'result') {
      const { documents, media: viewers } = this.#ports;
      const items = toResultItems(outcome.result);
      const name = `${this.#tool.server} ${this.#key.tool}`;
      const { media, hasText } = resultMedia(name, items, vscode.l10n.t);
      if (hasText || outcome.result.isError) {
        const { extension, text } = resultDocument(items, outcome.result.isError);
        await documents.show(name, extension, text);
      }
      for (const file of media) {
        await viewers.show(file);
      }
    }
  }

  async #openApp({ outcome, arguments: args }: EndedRun): Promise<void> {
    const uri = this.#appUri();
    if (outcome.kind === 'result' && uri !== undefined) {
      await this.#ports.openApp({ ...this.#key, server: this.#tool.server, arguments: args, result: outcome.result, uri });
    }
  }

  /** The address of the page that the server gives to the tool now. */
  #appUri(): string | undefined {
    const server = this.#ports.servers().find(({ id }) => id === this.#key.serverId);
    return server?.tools.find(({ name }) => name === this.#key.tool)?.app?.uri;
  }

  /** Opens a resource that the result links to. The page decides nothing: only what this server named is read, and from this server. */
  async #openResource({ outcome }: EndedRun, uri: string): Promise<void> {
    const items = outcome.kind === 'result' ? toResultItems(outcome.result) : [];
    if (items.some((item) => item.kind === 'link' && item.uri === uri)) {
      await this.#ports.openResource({ serverId: this.#key.serverId, uri });
    }
  }

  #withLast(act: (ended: EndedRun) => unknown): void {
    const { run } = this.#byHand;
    if (run.kind === 'ended') {
      this.#do(() => act(run));
    }
  }

  #do(act: () => unknown): void {
    Promise.resolve()
      .then(act)
      .catch((error: unknown) => this.#ports.reporter.report(error));
  }

  /** Changes what is kept, and tells the person when it is not. */
  #change(act: () => Promise<NotKept | NotWritten | undefined>): void {
    this.#do(async () => {
      const failure = await act();
      if (typeof failure === 'object') {
        throw viewError('runTool.notWritten', { ...failure });
      }
      if (failure !== undefined) {
        throw viewError(failure === 'secret' ? 'runTool.notSavedSecret' : 'runTool.notSavedTooLarge');
      }
    });
  }

  #postTool(): void {
    const shown = this.#tool.look(this.#ports.servers(), this.#ports.definitionOf);
    if (shown !== this.#posted) {
      this.#posted = shown;
      this.#page.post('runner/tool', { ...shown, arguments: this.#beginning ?? shown.arguments });
    }
  }

  #postRun(): void {
    const { run } = this.#byHand;
    this.#notKept = run.kind === 'ended' ? this.#notKept : undefined;
    const names = { server: this.#tool.server, tool: this.#key.tool, hasApp: this.#appUri() !== undefined };
    this.#page.post('runner/run', shownRun(run, names, errorSentence, this.#notKept));
  }

  #postKept(): void {
    const { runs, presets } = this.#ports.kept.of(this.#key);
    const { removed } = this.#undo;
    this.#page.post('runner/kept', {
      runs: [...runs],
      presets: [...presets],
      ...(removed?.kind === 'preset' && { removed: { kind: 'preset', name: removed.preset.name } }),
      ...(removed?.kind === 'runs' && { removed: { kind: 'runs', count: removed.runs.length } }),
    });
  }
}

function endingOf(outcome: CallOutcome): 'succeeded' | 'failed' | 'cancelled' {
  if (outcome.kind === 'result') {
    return outcome.result.isError ? 'failed' : 'succeeded';
  }
  return outcome.kind === 'cancelled' ? 'cancelled' : 'failed';
}
