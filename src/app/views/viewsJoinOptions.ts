import type * as vscode from 'vscode';
import type { LateChat } from '../../chat/lateChat.ts';
import type { Ledger } from '../../consent/ledger.ts';
import type { OwnCalls } from '../../consent/ownCalls.ts';
import type { InputValues } from '../../definitions/inputs.ts';
import type { ApiKeyStore } from '../../editor/storage/apiKeyStore.ts';
import type { LastTextEditor } from '../../editor/documents/lastTextEditor.ts';
import type { OutputLog } from '../../editor/logs/outputLog.ts';
import type { ServerLogs } from '../../editor/logs/serverLogs.ts';
import type { SettingsReader } from '../../editor/settingsReader.ts';
import type { SignIns } from '../../host/auth/signIns.ts';
import type { LoginShellPath } from '../../platform/processes/loginShellPath.ts';
import type { ErrorReporter } from '../../views/errorReporter.ts';
import type { ChatJoin } from '../chatJoin.ts';
import type { HostJoin } from '../hostJoin.ts';
import type { ServerJoin } from '../serverJoin.ts';
import type { OpenQuestions } from '../../consent/openQuestions.ts';
import type { KnownSecrets } from '../../definitions/knownSecrets.ts';
import type { TrafficLog } from '../../traffic/trafficLog.ts';
import type { AuditJoin, ByHandStorage } from '../storesJoin.ts';

/** Everything that views and commands are made of. */
export interface ViewsJoinOptions {
  readonly extensionUri: vscode.Uri;
  readonly version: string;
  /** The folder where VS Code keeps its own settings. */
  readonly userDataPath: string;
  /** The folder in which Duplex keeps files of its own. */
  readonly storageFolder: string;
  /** What VS Code remembers for this extension on the person's own machine. */
  readonly globalState: vscode.Memento;
  /** A random name of this installation. */
  readonly machine: string;
  readonly host: HostJoin;
  readonly server: ServerJoin;
  readonly chat: LateChat<ChatJoin>;
  readonly ledger: Ledger;
  readonly record: AuditJoin;
  readonly questions: OpenQuestions;
  /** The running calls of the chat and other parts of Duplex, which are told what waits for the person. */
  readonly ownCalls: OwnCalls;
  readonly lastTextEditor: LastTextEditor;
  /** The person's answers to `${input:id}`. */
  readonly inputs: InputValues;
  /** The values of each server that are known to be secret. */
  readonly secrets: KnownSecrets;
  readonly keys: ApiKeyStore;
  readonly settings: SettingsReader;
  readonly loginShellPath: LoginShellPath;
  readonly reporter: ErrorReporter;
  readonly logs: ServerLogs;
  /** What is remembered of tools that people run by hand. */
  readonly byHandStorage: ByHandStorage;
  readonly signIns: SignIns;
  readonly traffic: TrafficLog;
  readonly log: OutputLog;
}

/** What pages and commands are joined with. They are made after the chat was loaded, and get it from their context. */
export type PagesJoinOptions = Omit<ViewsJoinOptions, 'chat'>;
