import { pathToFileURL } from 'node:url';
import { isAbort, messageOf } from '../../base/errors.ts';
import { DisposableStore } from '../../base/lifecycle.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { ConsentRequest } from '../../consent/consentModel.ts';
import { differencesAtServer, fingerprintOf } from '../../consent/fingerprint.ts';
import type { Choice, QuestionDetail } from '../../contract/questions/questions.ts';
import type { WorkspaceFolder } from '../../definitions/serverDefinition.ts';
import type { Client } from '../shared/sdk.ts';
import { type HandlerContext, requireGreeting, storedRefusal } from './handlerContext.ts';
import type { ClientHandlers } from './serverFeatures.ts';

const choices: readonly Choice[] = ['deny', 'denyAlways', 'allowWorkspace'];

/**
 * Tells a server which folders are open. The first `roots/list` is answered with nothing at once, because a server may wait
 * for it in its handshake, and opens a question. After a yes the server is told that its roots changed, and asks again.
 */
export class RootsHandler implements ClientHandlers {
  readonly #context: HandlerContext;
  readonly #lifetime = new DisposableStore();
  #gone = new AbortController();
  #client: Client | undefined;
  #asking: string | undefined;
  /** The fingerprint of what the person refused: they are not asked again in this window, also not at the next start. */
  #declined: string | undefined;

  constructor(context: HandlerContext) {
    this.#context = context;
    this.#lifetime.add(context.ports.onDidChangeFolders(() => void this.#tellChange()));
  }

  configure(client: Client): void {
    this.#client = client;
    client.registerCapabilities({ roots: { listChanged: true } });
    client.setRequestHandler('roots/list', () => {
      requireGreeting(client);
      return { roots: this.#visible().map(toRoot) };
    });
  }

  /** Withdraws the question, whose answer would reach nobody; the next connection asks again. */
  detach(): void {
    this.#gone.abort();
    this.#gone = new AbortController();
  }

  dispose(): void {
    this.#gone.abort();
    this.#lifetime.dispose();
  }

  #folders(): readonly WorkspaceFolder[] {
    const { folder, ports } = this.#context;
    return folder === undefined ? ports.folders() : [folder];
  }

  #visible(): readonly WorkspaceFolder[] {
    const folders = this.#folders();
    if (folders.length === 0) {
      return [];
    }
    const request = this.#request(folders);
    const { gate, log } = this.#context;
    const verdict = gate.verdict(request);
    if (verdict.kind !== 'ask') {
      // The decision is made; only its line in the audit log follows later.
      gate
        .checkQuietly(request, this.#detail(folders))
        .catch((error: unknown) => log.error(`The record of folders failed: ${messageOf(error)}`));
    }
    switch (verdict.kind) {
      case 'allow':
        return folders;
      case 'deny':
        log.info(storedRefusal('A request for the folders'));
        return [];
      case 'ask': {
        void this.#ask(request, folders);
        // Folders that were allowed before stay visible while the person decides about the new ones, but only to the same server.
        const known = verdict.previous?.['folders'];
        return Array.isArray(known) && verdict.previous?.['server'] === request.material['server']
          ? folders.filter((folder) => known.includes(folder.path))
          : [];
      }
    }
  }

  async #ask(request: ConsentRequest, folders: readonly WorkspaceFolder[]): Promise<void> {
    const { gate, ports, log, calls } = this.#context;
    if (this.#asking === request.fingerprint || this.#declined === request.fingerprint) {
      return;
    }
    this.#asking = request.fingerprint;
    const detail = this.#detail(folders);
    try {
      const gone = this.#gone.signal;
      const decision = await calls.during((wanted) =>
        gate.check({
          request,
          detail,
          differencesFrom: (previous) => differencesAtServer(previous, request.material),
          choices,
          ask: calls.marked(ports.ask),
          signal: AbortSignal.any([gone, wanted]),
        }),
      );
      if (decision.kind === 'allowed') {
        await this.#tellChange();
      } else {
        this.#declined = request.fingerprint;
      }
    } catch (error) {
      if (!isAbort(error)) {
        log.error(`The question about folders failed: ${messageOf(error)}`);
      }
    } finally {
      this.#asking = undefined;
    }
  }

  #detail(folders: readonly WorkspaceFolder[]): Extract<QuestionDetail, { kind: 'roots' }> {
    const shown = folders.map(({ name, path }) => ({ name: revealInvisible(name), path: revealInvisible(path) }));
    return { kind: 'roots', server: revealInvisible(this.#context.label()), folders: shown };
  }

  #request(folders: readonly WorkspaceFolder[]): ConsentRequest {
    const material = { folders: folders.map(({ path }) => path), server: this.#context.identity() };
    const subject = ['server', this.#context.serverId, 'roots'];
    return { principal: 'host', action: 'seeRoots', subject, fingerprint: fingerprintOf(material), material };
  }

  /** Revision 2026-07-28 has no such notification: a server asks whenever it needs to know. */
  async #tellChange(): Promise<void> {
    const client = this.#client;
    if (client?.transport === undefined || client.getProtocolEra() === 'modern') {
      return;
    }
    try {
      await client.notification({ method: 'notifications/roots/list_changed' });
    } catch (error) {
      this.#context.log.debug(`The server could not be told of changed folders: ${messageOf(error)}`);
    }
  }
}

function toRoot({ name, path }: WorkspaceFolder): { uri: string; name: string } {
  return { uri: pathToFileURL(path).href, name };
}
