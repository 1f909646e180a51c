import * as path from 'node:path';
import * as vscode from 'vscode';
import type { Event } from '../base/events.ts';
import type { DisposableStore } from '../base/lifecycle.ts';
import type { Log } from '../base/log.ts';
import { FolderLock } from '../platform/files/fileLock.ts';
import type { KnownSecrets } from '../definitions/knownSecrets.ts';
import { SignInSecrets } from '../editor/storage/signInSecrets.ts';
import { SystemBrowser, UriRedirects } from '../editor/systemBrowser.ts';
import type { IssuerConsent } from '../host/auth/authPorts.ts';
import { openLoopbackReceiver } from '../host/auth/loopbackReceiver.ts';
import { readRecord, rememberedTokens } from '../host/auth/tokens.ts';
import { SignIns, type SignInsOptions } from '../host/auth/signIns.ts';
import { receiverTexts } from '../views/servers/serverStarts.ts';

export interface SignInJoinOptions {
  readonly secrets: vscode.SecretStorage;
  /** Learns the tokens as they pass, so that they can be hidden. */
  readonly known: KnownSecrets;
  /** A random name of this machine or container. */
  readonly machine: string;
  /** The extension's global storage, which all windows share. */
  readonly storageFolder: string;
  readonly issuers: IssuerConsent;
  readonly log: Log;
}

export interface SignInJoin {
  readonly signIns: SignIns;
  /** Fires when a stored sign-in changed, maybe in another window. */
  readonly onDidChangeKept: Event<void>;
}

/** How long to wait for the lock, in ms: longer than a refresh in another window takes. */
const lockWaitMs = 40_000;

/** Joins the sign-ins of remote servers to the editor's secrets and the person's browser. */
export function joinSignIns(options: SignInJoinOptions, lifetime: DisposableStore): SignInJoin {
  const { secrets, known, machine, storageFolder, issuers, log } = options;
  const folder = path.join(storageFolder, 'oauth');
  const store = new SignInSecrets({ secrets, machine, folder, readRecord });
  const lock = new FolderLock(folder, lockWaitMs);
  const browser = new SystemBrowser(vscode.env, vscode.Uri);
  // On a remote machine the browser runs elsewhere: it comes back through the editor, not through a local port.
  const isFarAway = vscode.env.remoteName !== undefined && vscode.env.uiKind === vscode.UIKind.Desktop;
  const redirects = isFarAway ? lifetime.add(new UriRedirects(vscode.window, vscode.env.uriScheme)) : undefined;
  const openReceiver: SignInsOptions['openReceiver'] = redirects?.open ?? ((preferred) => openLoopbackReceiver(preferred, receiverTexts()));
  const signIns = lifetime.add(new SignIns({ store: rememberedTokens(store, known), lock, browser, openReceiver, issuers, log }));
  return { signIns, onDidChangeKept: store.onDidChange };
}
