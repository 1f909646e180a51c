import { createHash } from 'node:crypto';
import { mkdir, readFile, realpath, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { atMost } from '../../base/abort.ts';
import type { PreparedLaunch } from '../../definitions/prepareLaunch.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { ChildExit, ServerProcess } from '../processes/serverProcess.ts';
import type { BoxedStart, BoxesOptions, BoxObstacle, BoxOffer, BoxStart, BoxStarter, BoxWishes } from './boxes.ts';
import { boxHome, type BoxPlan, isFetcher, planBox, unfitFor } from './boxPlan.ts';
import { type BoxContent, type BoxTools, findTools, hasBoxes, openBox } from './boxTools.ts';
import { tryBox } from './boxTrial.ts';
import { type ClosedPlaces, mountsOf } from './bubblewrap.ts';
import { npmSource, type PackageCall, type PackageSource, readNpx } from './fetchedPackages.ts';
import { readUvx, uvPythons, uvSource } from './uvPackages.ts';

/** How long packages may take to be fetched. */
const fetchMs = 5 * 60_000;

export async function offerBox(launch: PreparedLaunch, wishes: BoxWishes, options: BoxesOptions): Promise<BoxOffer> {
  if (!hasBoxes(options.platform)) {
    return { kind: 'obstacle', obstacle: { kind: 'system' } };
  }
  const name = path.basename(launch.executable ?? launch.command.value);
  if (launch.debugger !== undefined) {
    return { kind: 'obstacle', obstacle: { kind: 'debugged' } };
  }
  const unfit = unfitFor(name) ?? (isFetcher(name) && packagesOf(launch) === undefined ? 'fetches' : undefined);
  if (unfit !== undefined) {
    return { kind: 'obstacle', obstacle: { kind: unfit, program: name } };
  }
  const tools = await findTools(options);
  if ('missing' in tools) {
    return { kind: 'obstacle', obstacle: { kind: 'missing', program: tools.missing } };
  }
  const realExecutable = launch.executable && (await realpath(launch.executable).catch(() => undefined));
  const runtimes = await runtimesOf(launch, options.userHome);
  return { kind: 'ready', plan: planBox(launch, { ...wishes, userHome: options.userHome, realExecutable, runtimes }) };
}

/** Tries a box with the programs of this machine. */
export async function tryBoxes(options: BoxesOptions): Promise<BoxObstacle | undefined> {
  const tools = await findTools(options);
  return 'missing' in tools ? { kind: 'missing', program: tools.missing } : tryBox(tools);
}

function isOfUv({ executable, command }: PreparedLaunch): boolean {
  return path.basename(executable ?? command.value) === 'uvx';
}

/** What a program that fetches is told to fetch; undefined when that is not understood. */
function packagesOf(launch: PreparedLaunch): PackageCall | undefined {
  return (isOfUv(launch) ? readUvx : readNpx)(launch.args.map(({ value }) => value));
}

async function runtimesOf(launch: PreparedLaunch, userHome: string): Promise<readonly string[]> {
  return isOfUv(launch) ? uvPythons(userHome) : [];
}

interface StartOptions extends BoxStart, BoxesOptions {
  readonly onRefused: (host: string) => void;
}

export async function startInBox(launch: PreparedLaunch, plan: BoxPlan, options: StartOptions): Promise<BoxedStart> {
  const tools = await findTools(options);
  if ('missing' in tools) {
    throw hostError('host.noBox', { programs: tools.missing });
  }
  const scratch = path.join(options.folder, createHash('sha256').update(launch.definition.id).digest('hex').slice(0, 32));
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const box = new BoxMaker(launch, plan, { ...options, tools, scratch });
  const cache = plan.isFetched ? await box.fetchPackages() : {};
  return box.start(
    plan.hosts,
    launch.args.map(({ value }) => value),
    cache,
  );
}

interface MakerOptions extends StartOptions {
  readonly tools: BoxTools;
  readonly scratch: string;
}

class BoxMaker {
  readonly #launch: PreparedLaunch;
  readonly #plan: BoxPlan;
  readonly #options: MakerOptions;

  constructor(launch: PreparedLaunch, plan: BoxPlan, options: MakerOptions) {
    this.#launch = launch;
    this.#plan = plan;
    this.#options = options;
  }

  /** What starts the server in its box. The way out of it is opened now and closed with the process. */
  async start(hosts: readonly string[], args: readonly string[], more: Readonly<Record<string, string>>): Promise<BoxedStart> {
    const { log, starter } = this.#options;
    const mounts = await mountsOf(this.#plan, this.#closed());
    const known = new Set(mounts.map(({ at }) => at));
    const absent = [...this.#plan.read, ...this.#plan.write].filter((place) => !known.has(place.path));
    absent.forEach(({ shown }) => log.warn(`Not in its box, because it is missing or always closed: ${shown}`));
    return this.#startWith({ mounts, hosts, args, env: { ...this.#launch.env, ...more }, cwd: this.#plan.cwd }, starter);
  }

  /** Fetches what npx or uvx runs, in a box that reaches its registry alone. Returns the variables with which it then finds that. */
  async fetchPackages(): Promise<Readonly<Record<string, string>>> {
    const { scratch, log } = this.#options;
    const call = packagesOf(this.#launch) ?? { packages: [], args: [], isExact: false };
    const source = await this.#source();
    const mark = path.join(scratch, 'fetched');
    const fetched = JSON.stringify({ packages: call.packages, source: source.url });
    const wasFetched = (await readFile(mark, 'utf8').catch(() => '')) === fetched;
    if (!wasFetched || !call.isExact) {
      log.info(`Fetching ${call.packages.join(', ')} in a box that reaches ${source.hosts.join(', ')} alone.`);
      const failure = await this.#fetch(call, source);
      if (failure === undefined) {
        await writeFile(mark, fetched);
      } else if (wasFetched) {
        log.warn('The packages could not be fetched anew; those of the last start are used.');
      } else {
        throw hostError('host.notFetched', { packages: call.packages.join(', ') }, { detail: failure });
      }
    }
    return source.variables(true);
  }

  async #source(): Promise<PackageSource> {
    const { env, userHome } = this.#options;
    return isOfUv(this.#launch) ? uvSource(env, await uvPythons(userHome)) : npmSource(env, userHome);
  }

  async #fetch({ args }: PackageCall, { hosts, variables }: PackageSource): Promise<string | undefined> {
    const mounts = await this.#programMounts();
    const env = { PATH: this.#launch.env['PATH'] ?? '', ...variables(false) };
    return fetchFailure(await this.#startWith({ mounts, hosts, args, env, cwd: boxHome }, this.#options.starter), this.#options.signal);
  }

  /** The places of the program itself, and no workspace. */
  async #programMounts(): Promise<BoxContent['mounts']> {
    const { userHome } = this.#options;
    const runtimes = await runtimesOf(this.#launch, userHome);
    const around = { folders: [], userHome, isOfRepository: true, allowedHosts: [], runtimes };
    const { executable, definition } = this.#launch;
    const realExecutable = executable && (await realpath(executable).catch(() => undefined));
    const alone = { ...this.#launch, definition: { ...definition, folder: undefined } };
    return mountsOf(planBox(alone, { ...around, realExecutable }), this.#closed());
  }

  #closed(): ClosedPlaces {
    const { userHome, secretPlaces, folder, env } = this.#options;
    return { userHome, secret: [...secretPlaces, folder], env };
  }

  async #startWith(run: Pick<BoxContent, 'mounts' | 'args' | 'env' | 'cwd' | 'hosts'>, inner: BoxStarter): Promise<BoxedStart> {
    const { tools, scratch, onRefused, signal } = this.#options;
    signal.throwIfAborted();
    const box = await openBox({ ...run, scratch, onRefused, command: this.#launch.executable ?? '' }, tools);
    return { spec: box.spec, starter: clearing(inner, () => box.close()) };
  }
}

function clearing(starter: BoxStarter, clear: () => void): BoxStarter {
  return {
    start: (spec) => {
      try {
        const child = starter.start(spec);
        void child.ended.then(clear);
        return child;
      } catch (error) {
        clear();
        throw error;
      }
    },
    discard: clear,
  };
}

/** Waits for the packages. Returns the last words of what fetches them when it failed; rejects when the start is given up. */
async function fetchFailure({ spec, starter }: BoxedStart, signal: AbortSignal): Promise<string | undefined> {
  const child: ServerProcess = starter.start(spec);
  let exit: ChildExit | undefined;
  try {
    exit = await atMost(child.exited, fetchMs, signal);
  } finally {
    await child.stop();
  }
  if (exit === undefined) {
    return 'It took too long.';
  }
  return exit.kind === 'exited' && exit.code === 0 ? undefined : exit.lastErrorLines.join('\n');
}
