// resources/: resources (this file) and prompts of servers, as documents of the editor, and how a person picks one.
import * as vscode from 'vscode';
import { atMost } from '../../base/abort.ts';
import { systemClock } from '../../base/clock.ts';
import { isAbort } from '../../base/errors.ts';
import { Emitter } from '../../base/events.ts';
import { DisposableStore, type Disposable } from '../../base/lifecycle.ts';
import type { ContentWish } from '../../chat/models/contentOffers.ts';
import { ownSchemes } from '../../contract/identity.ts';
import { FlatFiles } from '../../editor/shared/flatFiles.ts';
import type { LiveResources, ReadResource, ResourceRef } from '../../host/resources/liveResources.ts';
import type { ServerSnapshot } from '../../host/shared/serverState.ts';
import { errorSentence } from '../errorReporter.ts';
import { readResourceAddress, resourceAddress } from './resourceAddress.ts';
import { resourceFile, type ResourceFile } from './resourceFile.ts';

export interface ResourceDocumentsOptions {
  readonly live: LiveResources;
  readonly servers: () => readonly ServerSnapshot[];
  /** Resolves when the servers are known. A window may begin with documents that were open before. */
  readonly serversKnown: Promise<void>;
  /** The key that seals addresses; only this installation knows it. */
  readonly key: string;
}

export interface ReadDocument extends Pick<ResourceFile, 'viewer'> {
  readonly uri: vscode.Uri;
}

/** How long a tab has to be gone, in ms, to count as closed: VS Code moves a tab by closing it and opening it again. */
const movedMs = 500;
/** How long, in ms, opening a resource waits until the servers are known. */
const maxKnownMs = 20_000;

/** Shows resources of servers as read-only files (`duplex-resource:`) in the editor, and keeps them up to date. */
export class ResourceDocuments extends FlatFiles implements Disposable {
  readonly #options: ResourceDocumentsOptions;
  readonly #lifetime = new DisposableStore();
  readonly #changed = this.#lifetime.add(new Emitter<vscode.FileChangeEvent[]>());
  /** The files by the contents they were made of, so that an unchanged resource is not converted twice. */
  readonly #files = new WeakMap<ReadResource['contents'], ResourceFile>();

  override readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]> = (listener) => this.#changed.event(listener);

  constructor(options: ResourceDocumentsOptions) {
    super();
    this.#options = options;
    this.#lifetime.add(options.live.onDidChange((ref) => this.#tell(ref)));
    this.#lifetime.add(
      vscode.window.tabGroups.onDidChangeTabs(({ closed }) => closed.flatMap(urisOf).forEach((uri) => this.#closeUnlessShown(uri))),
    );
  }

  /** Reads a resource anew. Rejects with an AppError, or with an AbortError when the signal fired. */
  async read(ref: ResourceRef, signal: AbortSignal): Promise<ReadDocument> {
    const { name, viewer } = this.#fileOf(ref, await this.#options.live.open(ref, signal));
    const server = this.#options.servers().find(({ id }) => id === ref.serverId)?.label ?? '';
    return { uri: vscode.Uri.from(resourceAddress(this.#options.key, { ...ref, server, fileName: name })), viewer };
  }

  /** Shows a resource in front. */
  async show({ uri, viewer }: ReadDocument): Promise<void> {
    if (viewer === 'media') {
      await vscode.commands.executeCommand('vscode.open', uri, { preview: false });
    } else {
      // It is opened as text whatever its name is: a viewer such as that of notebooks would trust and run what a server sent.
      await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
    }
  }

  /** The resource that a document shows; undefined for any other document. */
  refOf(uri: vscode.Uri): ResourceRef | undefined {
    const servers = this.#options.servers().map(({ id }) => id);
    return uri.scheme === ownSchemes.resource ? readResourceAddress(this.#options.key, uri, servers) : undefined;
  }

  /** What the chat needs to attach the resource of a document. The chat reads it anew. */
  wishFor(uri: vscode.Uri): ContentWish | undefined {
    const ref = this.refOf(uri);
    const server = this.#options.servers().find(({ id }) => id === ref?.serverId);
    return ref === undefined || server === undefined ? undefined : { kind: 'resource', ...ref, server: server.label, name: ref.uri };
  }

  /** The bytes of a resource, and the name to save them under. */
  async rawOf(ref: ResourceRef): Promise<Pick<ResourceFile, 'raw' | 'rawName'>> {
    return this.#fileOf(ref, await this.#options.live.content(ref));
  }

  override async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const ref = await this.#demand(uri);
    const read = await this.#content(ref);
    const size = this.#fileOf(ref, read).shown.byteLength;
    return { type: vscode.FileType.File, ctime: 0, mtime: read.changedAt, size, permissions: vscode.FilePermission.Readonly };
  }

  override async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const ref = await this.#demand(uri);
    return this.#fileOf(ref, await this.#content(ref)).shown;
  }

  override writeFile(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.#lifetime.dispose();
  }

  async #demand(uri: vscode.Uri): Promise<ResourceRef> {
    await atMost(this.#options.serversKnown, maxKnownMs);
    const ref = this.refOf(uri);
    if (ref === undefined) {
      throw vscode.FileSystemError.FileNotFound(uri);
    }
    return ref;
  }

  async #content(ref: ResourceRef): Promise<ReadResource> {
    try {
      return await this.#options.live.content(ref);
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(isAbort(error) ? vscode.l10n.t('The resource was closed.') : errorSentence(error));
    }
  }

  #fileOf({ serverId, uri }: ResourceRef, { contents }: ReadResource): ResourceFile {
    const known = this.#files.get(contents);
    if (known !== undefined) {
      return known;
    }
    const server = this.#options.servers().find(({ id }) => id === serverId);
    const file = resourceFile(
      uri,
      contents,
      server?.resources.find((resource) => resource.uri === uri),
      vscode.l10n.t,
    );
    this.#files.set(contents, file);
    return file;
  }

  #tell(ref: ResourceRef): void {
    const shown = this.#shownUris().filter((uri) => isSame(this.refOf(uri), ref));
    this.#changed.fire(shown.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  #closeUnlessShown(closed: vscode.Uri): void {
    const ref = this.refOf(closed);
    if (ref === undefined) {
      return;
    }
    const timer = this.#lifetime.add(
      systemClock.schedule(movedMs, () => {
        this.#lifetime.release(timer);
        if (!this.#shownUris().some((uri) => isSame(this.refOf(uri), ref))) {
          this.#options.live.close(ref);
        }
      }),
    );
  }

  #shownUris(): vscode.Uri[] {
    return vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.flatMap(urisOf));
  }
}

function isSame(one: ResourceRef | undefined, other: ResourceRef): boolean {
  return one?.serverId === other.serverId && one.uri === other.uri;
}

/** The resources that a tab shows: as text, as a picture, or on either side of a comparison. */
function urisOf({ input }: vscode.Tab): vscode.Uri[] {
  const { uri, original, modified } = (input ?? {}) as Partial<Record<'uri' | 'original' | 'modified', unknown>>;
  return [uri, original, modified].filter((each) => each instanceof vscode.Uri).filter(({ scheme }) => scheme === ownSchemes.resource);
}
