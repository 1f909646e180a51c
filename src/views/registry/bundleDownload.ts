import { isAbort } from '../../base/errors.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import type { FormValues } from '../../contract/forms/formFields.ts';
import type { JsonValue } from '../../base/json.ts';
import type { RegistryInstallForm } from '../../contract/pages/registryMessages.ts';
import type { FilledDefinition } from '../../definitions/pasted/newInputs.ts';
import { type BundleMachine, bundleFields, bundleServer, checkRunsHere, programNeeded } from '../../registry/bundles/bundleServer.ts';
import type { BundleStore, StagedBundle } from '../../registry/bundles/bundleStore.ts';
import { maxBundleBytes } from '../../registry/bundles/fetchBundle.ts';
import type { InstallWay } from '../../registry/installWays.ts';
import { registryError } from '../../registry/registryErrors.ts';
import { errorSentence } from '../errorReporter.ts';
import type { Translate } from '../sentences/translate.ts';

export type BundleWay = Extract<InstallWay, { kind: 'bundle' }>;
type FormWay = RegistryInstallForm['ways'][number];

export interface BundleDownloadOptions {
  readonly machine: BundleMachine;
  /** The bundles on this machine; loaded when the first is wanted. */
  readonly store: () => Promise<BundleStore>;
  readonly hasProgram: (program: string) => Promise<boolean>;
  /** Called whenever there is something new to show. */
  readonly onChange: () => void;
  readonly t: Translate;
}

interface Progress {
  readonly received: number;
  readonly total?: number | undefined;
}

const progressStep = 1024 * 1024;
const megabyte = 1024 * 1024;

/** The download of one bundle, from the question about it until it is kept or given up. */
export class BundleDownload {
  readonly #way: BundleWay;
  readonly #options: BundleDownloadOptions;
  #running: AbortController | undefined;
  #progress: Progress | undefined;
  #problem: string | undefined;
  #staged: StagedBundle | undefined;
  #missing: string | undefined;

  constructor(way: BundleWay, options: BundleDownloadOptions) {
    this.#way = way;
    this.#options = options;
  }

  /** Downloads and unpacks: the person has said so. */
  async start(): Promise<void> {
    if (this.#running !== undefined || this.#staged !== undefined) {
      return;
    }
    const running = new AbortController();
    this.#running = running;
    this.#show({ progress: { received: 0 }, problem: undefined });
    try {
      const store = await this.#options.store();
      const staged = await store.stage(this.#way.bundle, {
        signal: running.signal,
        onProgress: (received, total) => this.#note(received, total),
      });
      await this.#accept(staged, running.signal);
      this.#show({ progress: undefined });
    } catch (error) {
      const isStopped = isAbort(error) || running.signal.aborted;
      this.#show({ progress: undefined, problem: isStopped ? undefined : revealInvisible(errorSentence(error)) });
    } finally {
      this.#running = undefined;
    }
  }

  stop(): void {
    this.#running?.abort();
  }

  /** Gives up what is under way, and removes what was downloaded and is not kept. */
  async discard(): Promise<void> {
    this.stop();
    const staged = this.#staged;
    this.#staged = undefined;
    await staged?.discard();
  }

  /** What was downloaded and looked through, until it is kept or given up. */
  get staged(): StagedBundle | undefined {
    return this.#staged;
  }

  /**
   * Puts the bundle where its definition says, which will stand in one of these settings files. The form can still be filled in
   * afterwards, and the bundle kept again, should the settings not be written.
   */
  async keep(files: readonly string[]): Promise<void> {
    await this.#staged?.keep(files);
  }

  /** What the form shows of it: the question, how far it is, or what can be configured. */
  shown(): Pick<FormWay, 'download' | 'fetched' | 'missing' | 'fields'> {
    const { machine } = this.#options;
    if (this.#staged === undefined) {
      const { url, sha256, name } = this.#way.bundle;
      const question = { host: new URL(url).host, publisher: revealInvisible(name), sha256, maxMegabytes: maxBundleBytes / megabyte };
      return { download: { ...question, progress: this.#progress, problem: this.#problem }, missing: undefined, fields: [] };
    }
    const { manifest, size, files } = this.#staged;
    const what = revealInvisible(`${manifest.display_name ?? manifest.name} ${manifest.version}, ${manifest.author.name}`);
    const fields = bundleFields(this.#staged, machine).map((field) => ({ ...field }));
    return { fetched: { what, bytes: size, files: files.size }, missing: this.#missing, fields };
  }

  /** The definition of its server, from what the person filled in. */
  fill(name: string, values: FormValues, configured: readonly JsonValue[]): FilledDefinition {
    if (this.#staged === undefined) {
      throw registryError('registry.notFetched');
    }
    return bundleServer({ name, bundle: this.#staged, machine: this.#options.machine, values, configured });
  }

  async #accept(staged: StagedBundle, signal: AbortSignal): Promise<void> {
    const { machine, hasProgram, t } = this.#options;
    try {
      checkRunsHere(staged, machine);
      const program = programNeeded(staged, machine);
      const isMissing = program !== undefined && !(await hasProgram(program));
      signal.throwIfAborted();
      this.#missing = isMissing
        ? t('{0} was not found here, and the bundle needs it: install it if the server does not start.', program)
        : undefined;
      this.#staged = staged;
    } catch (error) {
      await staged.discard();
      throw error;
    }
  }

  #note(received: number, total: number | undefined): void {
    if (received - (this.#progress?.received ?? 0) >= progressStep) {
      this.#show({ progress: { received, total } });
    }
  }

  #show(change: { readonly progress: Progress | undefined; readonly problem?: string | undefined }): void {
    this.#progress = change.progress;
    this.#problem = 'problem' in change ? change.problem : this.#problem;
    this.#options.onChange();
  }
}
