import { canonicalJson, isJsonObject, type JsonObject, type JsonValue, textOfJson } from '../../base/json.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { RegistryPageState } from '../../contract/pages/registryMessages.ts';
import type { ServerDefinition } from '../../definitions/serverDefinition.ts';
import { bundleMove, movedEntry } from '../../registry/bundles/bundleMove.ts';
import type { BundleStore } from '../../registry/bundles/bundleStore.ts';
import type { BundleMachine } from '../../registry/bundles/bundleServer.ts';
import { type InstalledServer, installedOf } from '../../registry/installed.ts';
import { waysOf } from '../../registry/installWays.ts';
import { registryError } from '../../registry/registryErrors.ts';
import type { RegistryEntry } from '../../registry/serverJson.ts';
import { errorSentence } from '../errorReporter.ts';
import { changeServer } from '../servers/files/serverChanges.ts';
import type { Translate } from '../sentences/translate.ts';
import type { BundleDownload, BundleWay } from './bundleDownload.ts';
import { commandLineOf, toConfigured, toWay } from './registryCards.ts';

export interface ServerUpdateOptions {
  readonly entry: RegistryEntry;
  readonly definition: ServerDefinition;
  readonly downloadOf: (way: BundleWay) => BundleDownload;
  readonly bundles: { readonly machine: BundleMachine; readonly store: () => Promise<BundleStore> };
  readonly t: Translate;
}

/** The bundle that is to take the place of an installed one. */
interface NewBundle {
  readonly way: BundleWay;
  readonly download: BundleDownload;
  /** The name of the folder of the installed one. */
  readonly installed: string;
}

type Edit = (entry: JsonObject) => JsonObject;

/** An update of a configured server, from the question about its download until it is written. */
export class ServerUpdate {
  readonly #options: ServerUpdateOptions;
  readonly #before: JsonObject;
  readonly #bundle: NewBundle | undefined;
  /** What would be written; undefined while that is not known. */
  #edit: Edit | undefined;
  #problem: string | undefined;

  private constructor(options: ServerUpdateOptions, edit: Edit | undefined, bundle: NewBundle | undefined) {
    this.#options = options;
    const { definition } = options;
    const { command, args = [], env = {} } = definition.kind === 'stdio' ? definition.raw : { command: '' };
    this.#before = { command, args: [...args], env: { ...env } };
    this.#edit = edit;
    this.#bundle = bundle;
  }

  /** The update that an entry has for a server; undefined where there is none. */
  static of(options: ServerUpdateOptions): ServerUpdate | undefined {
    const { entry, definition, downloadOf } = options;
    const found = installedOf(waysOf(entry), [toConfigured(definition)])[0];
    if (found?.olderBundle !== undefined && found.way.kind === 'bundle') {
      return new ServerUpdate(options, undefined, { way: found.way, download: downloadOf(found.way), installed: found.olderBundle });
    }
    return found?.update && new ServerUpdate(options, replacing(found.update), undefined);
  }

  /** The bundle that a question is about. */
  get way(): BundleWay | undefined {
    return this.#bundle?.way;
  }

  /** Downloads the bundle: the person has said so. It is compared with the installed one. */
  async start(): Promise<void> {
    const bundle = this.#bundle;
    await bundle?.download.start();
    const newer = bundle?.download.staged;
    if (bundle === undefined || newer === undefined || this.#edit !== undefined) {
      return;
    }
    try {
      const { machine, store } = this.#options.bundles;
      const bundles = await store();
      const installed = { folder: bundles.folderOf(bundle.installed), manifest: await bundles.manifestOf(bundle.installed) };
      const move = bundleMove(installed, newer, machine);
      if (canonicalJson(movedEntry(this.#before, move)) === canonicalJson(this.#before)) {
        throw registryError('registry.startedOtherwise');
      }
      this.#edit = (entry) => movedEntry(entry, move);
    } catch (error) {
      this.#problem = revealInvisible(errorSentence(error));
    }
  }

  stop(): void {
    this.#bundle?.download.stop();
  }

  async discard(): Promise<void> {
    await this.#bundle?.download.discard();
  }

  /** Writes what was shown. The new bundle stands in its place before the settings name it. */
  async apply(files: readonly string[]): Promise<void> {
    if (this.#edit !== undefined) {
      await this.#bundle?.download.keep(files);
      await changeServer(this.#options.definition, this.#edit);
    }
  }

  shown(): NonNullable<RegistryPageState['update']> {
    const { entry, definition } = this.#options;
    const what = { title: revealInvisible(entry.title), server: definition.label, location: definition.location };
    if (this.#edit !== undefined) {
      return { ...what, changes: this.#changes(this.#edit(this.#before)) };
    }
    const { way, download } = this.#bundle ?? {};
    const question = download?.shown().download;
    const bundle = way === undefined || question === undefined ? undefined : { ...toWay(way), download: question };
    return { ...what, changes: [], bundle, problem: this.#problem };
  }

  #changes(after: JsonObject): NonNullable<RegistryPageState['update']>['changes'] {
    const line = { field: this.#options.t('Command'), before: commandLineOf(this.#before), after: commandLineOf(after) };
    const [old, fresh] = [this.#before['env'], after['env']].map((env) => (isJsonObject(env) ? env : {}));
    const variables = Object.keys(fresh ?? {}).map((key) => ({
      field: revealInvisible(`env.${key}`),
      before: revealInvisible(textOfJson(old?.[key])),
      after: revealInvisible(textOfJson(fresh?.[key])),
    }));
    return [line, ...variables].filter(({ before, after: then }) => before !== then);
  }
}

/** Puts one word of the arguments in the place of another, if that is still what stands there. */
function replacing({ index, before, after }: NonNullable<InstalledServer['update']>): Edit {
  return (entry) => {
    const args = Array.isArray(entry['args']) ? (entry['args'] as readonly JsonValue[]) : [];
    return args[index] === before ? { ...entry, args: args.map((word, place) => (place === index ? after : word)) } : entry;
  };
}
