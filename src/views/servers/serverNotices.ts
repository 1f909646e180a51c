import * as vscode from 'vscode';
import type { Disposable } from '../../base/lifecycle.ts';
import { views } from '../../contract/identity.ts';
import type { ServerLogs } from '../../editor/logs/serverLogs.ts';
import type { DebugProblem } from '../../host/approval/debuggedProcess.ts';
import { FailureBatch, PermissionOffers, ScopeOffers } from '../../host/reports/notices.ts';
import type { HostRegistry } from '../../host/hostRegistry.ts';
import { needsSignIn, type ScopeWish, type ServerSnapshot } from '../../host/shared/serverState.ts';
import { errorSentence } from '../errorReporter.ts';
import { nativeText, quotedNames } from '../nativeText.ts';
import type { WillAdd } from './adding/addServer.ts';
import { isAdded } from './adding/startAdded.ts';
import { offerMoreAccess, offerSignIn, type ServerStarts } from './serverStarts.ts';

export interface ServerNoticesOptions {
  readonly registry: HostRegistry;
  readonly starts: ServerStarts;
  /** Whether the person caused this failure themselves and knows of it. */
  readonly isExpected: (server: ServerSnapshot) => boolean;
  readonly logs: ServerLogs;
}

/** Failures this close together, in ms, are told in one notification. */
const failureQuietMs = 1_500;
/** After this time, in ms, failures are told even while other servers are still starting. */
const failureMaxMs = 15_000;
/** How long a server whose wish for more access was answered offers none, in ms. */
const closedOfferMs = 30_000;

/** Tells the person about servers without being asked: which failed, and which wait for permission. */
export class ServerNotices implements Disposable {
  readonly #options: ServerNoticesOptions;
  readonly #offers: PermissionOffers;
  readonly #failures: FailureBatch;
  readonly #scopes: ScopeOffers;

  constructor(options: ServerNoticesOptions) {
    this.#options = options;
    this.#offers = new PermissionOffers({
      servers: () => options.registry.servers(),
      show: (waiting) => offerReview(waiting.map((server) => server.label)),
      start: (server) => options.starts.start(server.id),
      tellSettled: tellNothingWaits,
    });
    this.#failures = new FailureBatch({
      quietMs: failureQuietMs,
      maxMs: failureMaxMs,
      tell: (failed) => this.#tell(failed),
    });
    this.#scopes = new ScopeOffers({
      pauseMs: closedOfferMs,
      show: (wish) => this.#showWish(wish),
      signIn: ({ serverId, scope }) => options.starts.signInForMore(serverId, scope),
    });
  }

  /** To be called when a server's state has changed. */
  update(servers: readonly ServerSnapshot[]): void {
    this.#failures.update(servers);
  }

  /** Offers the review of all servers that wait for permission in one notification, and never twice for the same server. */
  offerReview(): Promise<void> {
    return this.#offers.offer();
  }

  /** Runs what adds servers and asks itself whether they may start: no notification offers the same beside it. */
  whileAdding(add: (willAdd: WillAdd) => Promise<readonly string[]>): Promise<readonly string[]> {
    return this.#offers.whileAdding((willAdd) => add((added) => willAdd((server) => isAdded(server, added))));
  }

  /** Offers to sign in again to a server that refused a request for want of scope. */
  offerMoreAccess(wish: ScopeWish): Promise<void> {
    return this.#scopes.offer(wish);
  }

  /** Tells that a server was stopped because its permission to start was taken back, here or in another window. */
  tellRevoked(label: string): void {
    tellRevoked(label);
  }

  dispose(): void {
    this.#failures.dispose();
  }

  async #showWish({ serverId, scope }: ScopeWish): Promise<boolean> {
    const server = this.#options.registry.servers().find(({ id }) => id === serverId);
    return server !== undefined && offerMoreAccess(server.label, scope);
  }

  #tell(failed: readonly ServerSnapshot[]): void {
    const { starts, isExpected, logs } = this.#options;
    const news = failed.filter((server) => !isExpected(server));
    void tellOfFailures(news, { showLog: (label) => logs.show(label), signIn: (id) => starts.startAndReport(id) });
  }
}

export interface FailureActions {
  readonly showLog: (label: string) => void;
  readonly signIn: (id: string) => void;
}

/** Shows one notification for each server that wants a sign-in, and one for all others that failed together. */
async function tellOfFailures(failed: readonly ServerSnapshot[], { showLog, signIn }: FailureActions): Promise<void> {
  const others = failed.filter((server) => !needsSignIn(server));
  await Promise.all([
    ...failed.filter(needsSignIn).map((server) => offerSignIn(server.label, () => signIn(server.id))),
    ...(others.length > 0 ? [tellOfBroken(others, showLog)] : []),
  ]);
}

async function tellOfBroken(failed: readonly ServerSnapshot[], showLog: (label: string) => void): Promise<void> {
  const showServers = vscode.l10n.t('Show Servers');
  const [first] = failed;
  if (failed.length === 1 && first?.state.kind === 'failed') {
    const log = vscode.l10n.t('Show Log');
    const sentence = vscode.l10n.t(
      'The MCP server “{0}” failed: {1}',
      nativeText(first.label, 60),
      nativeText(errorSentence(first.state.error), 300),
    );
    const picked = await vscode.window.showWarningMessage(sentence, showServers, log);
    if (picked === log) {
      showLog(first.label);
    }
    await focusIf(picked === showServers);
    return;
  }
  const names = quotedNames(
    failed.map((server) => server.label),
    vscode.l10n.t,
  );
  const picked = await vscode.window.showWarningMessage(vscode.l10n.t('{0} MCP servers failed: {1}', failed.length, names), showServers);
  await focusIf(picked === showServers);
}

async function focusIf(isWanted: boolean): Promise<void> {
  if (isWanted) {
    await vscode.commands.executeCommand(`${views.servers}.focus`);
  }
}

/** Shows one notification for all servers that wait for permission. True when the person wants to review them. */
async function offerReview(names: readonly string[]): Promise<boolean> {
  const review = vscode.l10n.t('Review');
  const list = quotedNames(names, vscode.l10n.t);
  const sentence =
    names.length === 1
      ? vscode.l10n.t('The MCP server {0} needs your permission to start.', list)
      : vscode.l10n.t('{0} MCP servers need your permission to start: {1}', names.length, list);
  return (await vscode.window.showInformationMessage(sentence, review)) === review;
}

function tellNothingWaits(): void {
  void vscode.window.showInformationMessage(vscode.l10n.t('No MCP server waits for your permission any more.'));
}

function tellRevoked(label: string): void {
  const name = quotedNames([label], vscode.l10n.t);
  void vscode.window.showInformationMessage(vscode.l10n.t('The MCP server {0} was stopped: its permission to start was revoked.', name));
}

/** The extension that brings the debugger, by the problem that it is missing. */
const extensions: Readonly<Partial<Record<DebugProblem, string>>> = {
  noNodeDebugger: 'ms-vscode.js-debug',
  noPythonDebugger: 'ms-python.debugpy',
};

/** Tells why no debugger is attached to a server whose definition asks for one. */
export async function tellOfDebugger(label: string, problem: DebugProblem, showLog: () => void): Promise<void> {
  const name = quotedNames([label], vscode.l10n.t);
  const log = vscode.l10n.t('Show Log');
  const install = vscode.l10n.t('Show Extension');
  const extension = extensions[problem];
  const said = sentenceOf(problem, name);
  const picked = await (extension === undefined
    ? vscode.window.showWarningMessage(said, log)
    : vscode.window.showWarningMessage(said, install, log));
  if (picked === log) {
    showLog();
  } else if (picked === install && extension !== undefined) {
    await vscode.commands.executeCommand('workbench.extensions.search', `@id:${extension}`);
  }
}

function sentenceOf(problem: DebugProblem, name: string): string {
  switch (problem) {
    case 'notAttached':
      return vscode.l10n.t('The debugger could not be attached to the MCP server {0}. The server runs without it.', name);
    case 'noNodeDebugger':
      return vscode.l10n.t(
        'To debug the MCP server {0}, enable the extension “JavaScript Debugger” ({1}), which belongs to VS Code, and restart the server. It runs without a debugger now.',
        name,
        'ms-vscode.js-debug',
      );
    case 'noPythonDebugger':
      return vscode.l10n.t(
        'To debug the MCP server {0}, install the extension “Python Debugger” ({1}) and restart the server. It runs without a debugger now.',
        name,
        'ms-python.debugpy',
      );
    case 'noDebugpy':
      return vscode.l10n.t(
        'The MCP server {0} cannot be debugged: its Python has no debugpy. Install it there ({1}), or leave {2} out of its definition.',
        name,
        'python -m pip install debugpy',
        'dev.debug',
      );
  }
}
