import { randomUUID } from 'node:crypto';
import { isAbort } from '../base/errors.ts';
import type { JsonObject } from '../base/json.ts';
import { Late } from '../base/late.ts';
import type { AppAnswer, AppPort, AppTab, AppTabs, KeptAppResult, WantedTab } from '../chat/apps/appPort.ts';
import type * as vscode from 'vscode';
import type { Log } from '../base/log.ts';
import { AppTools } from '../host/apps/appTools.ts';
import type { AppOpener, AppOpenerOptions } from '../host/apps/appOpening.ts';
import type { RawToolResult } from '../host/connection/serverSession.ts';
import type { EditorAppTabs } from '../views/chat/appTab.ts';
import { endings } from '../chat/apps/chatApps.ts';
import { TabShowing } from '../chat/apps/tabShowing.ts';
import { chatError } from '../chat/conversation/chatSentences.ts';
import type { Ask } from '../consent/consentGate.ts';
import type { ToolKey } from '../contract/chat/contextBudget.ts';
import { errorSentence } from '../views/errorReporter.ts';

/** The most results that are kept for apps as their servers sent them; an older one is shown as the conversation has it. */
const maxKept = 20;
/** The most characters of JSON of a result that is kept for an app; a longer one is shown as the conversation has it. */
const maxKeptLength = 2_000_000;

export interface AppsJoinOptions extends AppOpenerOptions {
  readonly extensionUri: vscode.Uri;
  /** Where it is written what the page of a tab says wrongly. */
  readonly tabLog: Log;
  readonly report: (error: unknown) => void;
}

/** A call that was made without a chat, and the page of its tool. */
export interface AppAlone extends ToolKey {
  readonly server: string;
  readonly uri: string;
  readonly arguments: JsonObject;
  readonly result: RawToolResult;
  readonly ask: Ask;
}

/** Joins the apps of servers to the chat. What opens one is loaded with the first. */
export class AppsJoin implements AppPort, AppTabs {
  /** What the apps that are shown offer to models. */
  readonly tools = new AppTools();
  readonly #kept = new Map<string, KeptAppResult>();
  readonly #opener: Late<AppOpener>;
  readonly #tabs: Late<EditorAppTabs>;
  readonly #report: AppsJoinOptions['report'];

  constructor({ extensionUri, tabLog, report, ...options }: AppsJoinOptions) {
    this.#report = report;
    this.#tabs = new Late(async () => new (await import('../views/chat/appTab.ts')).EditorAppTabs(extensionUri, tabLog));
    this.#opener = new Late(async () => new (await import('../host/apps/appOpening.ts')).AppOpener({ ...options, tools: this.tools }));
  }

  /** Shows an app in a tab without a chat, after the person was asked. Rejects with why it cannot be shown. */
  async showAlone({ serverId, server, tool, uri, ask, arguments: args, result }: AppAlone): Promise<void> {
    const gone = new AbortController();
    const opener = await this.#opener.get();
    const call = { arguments: args, result: asInProtocol(result) };
    const opening = await opener.open({ serverId, tool, uri, ask, call, signal: gone.signal });
    if (opening.kind === 'denied') {
      return;
    }
    const end = (): void => {
      gone.abort();
      showing.dispose();
    };
    const showing = new TabShowing({
      ...{ app: opening.app, tabs: this, server, tool, mode: 'inline', isPressed: true, hasBack: false },
      onClosed: end,
      onClose: () => void showing.end().finally(end),
      onBroke: (reason) => {
        end();
        this.#report(chatError(endings[reason]));
      },
    });
    await showing.open();
  }

  /** Keeps a result for the app of its call; gives the key under which it is found. */
  keep(args: JsonObject, raw: RawToolResult): string | undefined {
    const result = asInProtocol(raw);
    if (JSON.stringify(result).length > maxKeptLength) {
      return undefined;
    }
    const key = randomUUID();
    this.#kept.set(key, { arguments: args, result });
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > maxKept && oldest !== undefined) {
      this.#kept.delete(oldest);
    }
    return key;
  }

  resultOf(key: string): KeptAppResult | undefined {
    return this.#kept.get(key);
  }

  /** Opens a tab of the editor for an app. */
  async openTab(wanted: WantedTab): Promise<AppTab> {
    return (await this.#tabs.get()).openTab(wanted);
  }

  async open(wanted: Parameters<AppPort['open']>[0]): Promise<AppAnswer> {
    try {
      return await (await this.#opener.get()).open(wanted);
    } catch (error) {
      if (isAbort(error) || wanted.signal.aborted) {
        throw error;
      }
      return { kind: 'failed', sentence: errorSentence(error) };
    }
  }
}

function asInProtocol({ content, structuredContent, isError, meta }: RawToolResult): JsonObject {
  return {
    content: [...content],
    isError,
    ...(structuredContent !== undefined && { structuredContent }),
    ...(meta !== undefined && { _meta: meta }),
  };
}
