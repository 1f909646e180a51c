import { createHash } from 'node:crypto';
import { access, constants, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { atMost } from '../../base/abort.ts';
import type { PreparedLaunch } from '../../definitions/prepareLaunch.ts';
import { hostError } from '../shared/hostErrors.ts';
import type { ChildSpec, ServerProcess } from '../processes/serverProcess.ts';
import type { BoxedStart, BoxesOptions, BoxOffer, BoxStart, BoxStarter, BoxWishes } from './boxes.ts';
import { boxHome, type BoxPlan, isFetcher, planBox, unfitFor } from './boxPlan.ts';
import { BoxProxy, portsIn } from './boxProxy.ts';
import { boxedCommand, bubblewrapOptions, mountsOf, type BoxedRun } from './bubblewrap.ts';
import { npmSource, type PackageCall, type PackageSource, readNpx } from './fetchedPackages.ts';
import { readUvx, uvPythons, uvSource } from './uvPackages.ts';

/** Where the system keeps its own programs. PATH is not asked: a repository's folder could stand in it. */
const programFolders: readonly string[] = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];
/** The variable that names another bubblewrap than the system's. */
const programVariable = 'DUPLEX_BUBBLEWRAP';
/** How long packages may take to be fetched. */
const fetchMs = 5 * 60_000;

interface BoxPrograms {
  readonly bubblewrap: string;
  readonly socat: string;
}

export async function offerBox(launch: PreparedLaunch, wishes: BoxWishes, options: BoxesOptions): Promise<BoxOffer> {
  if (options.platform !== 'linux') {
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
  const programs = await findPrograms(options);
  if ('missing' in programs) {
    return { kind: 'obstacle', obstacle: { kind: 'missing', program: programs.missing } };
  }
  const realExecutable = launch.executable && (await realpath(launch.executable).catch(() => undefined));
  const runtimes = await runtimesOf(launch, options.userHome);
  return { kind: 'ready', plan: planBox(launch, { ...wishes, userHome: options.userHome, realExecutable, runtimes }) };
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

async function findPrograms({ env }: BoxesOptions): Promise<BoxPrograms | { readonly missing: string }> {
  const chosen = env[programVariable];
  const bubblewrap = await firstProgram(chosen === undefined ? programFolders.map((folder) => path.join(folder, 'bwrap')) : [chosen]);
  const socat = await firstProgram(programFolders.map((folder) => path.join(folder, 'socat')));
  if (bubblewrap !== undefined && socat !== undefined) {
    return { bubblewrap, socat };
  }
  const missing = [...(bubblewrap === undefined ? ['bubblewrap'] : []), ...(socat === undefined ? ['socat'] : [])];
  return { missing: missing.join(' ') };
}

async function firstProgram(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    if (await access(file, constants.X_OK).then(isTrue, isFalse)) {
      return file;
    }
  }
  return undefined;
}

const isTrue = (): boolean => true;
const isFalse = (): boolean => false;

interface StartOptions extends BoxStart, BoxesOptions {
  readonly onRefused: (host: string) => void;
}

export async function startInBox(launch: PreparedLaunch, plan: BoxPlan, options: StartOptions): Promise<BoxedStart> {
  const programs = await findPrograms(options);
  if ('missing' in programs) {
    throw hostError('host.noBox', { programs: programs.missing });
  }
  const scratch = path.join(options.folder, createHash('sha256').update(launch.definition.id).digest('hex').slice(0, 32));
  await mkdir(scratch, { recursive: true, mode: 0o700 });
  const box = new BoxMaker(launch, plan, { ...options, ...programs, scratch });
  const cache = plan.isFetched ? await box.fetchPackages() : {};
  return box.start(
    plan.hosts,
    launch.args.map(({ value }) => value),
    cache,
  );
}

interface MakerOptions extends StartOptions, BoxPrograms {
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
    const { userHome, secretPlaces, folder, log, starter } = this.#options;
    const mounts = await mountsOf(this.#plan, userHome, [...secretPlaces, folder]);
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
    return fetchFailure(await this.#startWith({ mounts, hosts, args, env, cwd: boxHome }, this.#options.starter));
  }

  /** The places of the program itself, and no workspace. */
  async #programMounts(): Promise<BoxedRun['mounts']> {
    const { userHome, secretPlaces, folder } = this.#options;
    const runtimes = await runtimesOf(this.#launch, userHome);
    const around = { folders: [], userHome, isOfRepository: true, allowedHosts: [], runtimes };
    const { executable, definition } = this.#launch;
    const realExecutable = executable && (await realpath(executable).catch(() => undefined));
    const alone = { ...this.#launch, definition: { ...definition, folder: undefined } };
    return mountsOf(planBox(alone, { ...around, realExecutable }), userHome, [...secretPlaces, folder]);
  }

  async #startWith(
    run: Pick<BoxedRun, 'mounts' | 'args' | 'env' | 'cwd'> & { readonly hosts: readonly string[] },
    inner: BoxStarter,
  ): Promise<BoxedStart> {
    const { bubblewrap, socat, scratch, onRefused } = this.#options;
    const sockets = await mkdtemp(path.join(tmpdir(), 'duplex-box-'));
    const proxy = await BoxProxy.listen({ folder: sockets, hosts: run.hosts, onRefused });
    const boxed = { ...run, scratch, sockets, socat, ports: portsIn(run.hosts), command: this.#launch.executable ?? '' };
    const spec: ChildSpec = {
      command: bubblewrap,
      // What the box is made of goes through a pipe: the variables of a server are nobody else's business, and must not reach
      // bubblewrap itself, which runs outside.
      args: ['--args', '3', '--', ...boxedCommand(boxed)],
      furtherInput: bubblewrapOptions(boxed)
        .map((option) => `${option}\0`)
        .join(''),
      env: {},
      cwd: '/',
    };
    const clear = (): void => {
      proxy.close();
      void rm(sockets, { recursive: true, force: true }).catch(() => undefined);
    };
    return { spec, starter: clearing(inner, clear) };
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
  };
}

/** Waits for the packages. Returns the last words of what fetches them when it failed. */
async function fetchFailure({ spec, starter }: BoxedStart): Promise<string | undefined> {
  const child: ServerProcess = starter.start(spec);
  const exit = await atMost(child.exited, fetchMs);
  await child.stop();
  if (exit === undefined) {
    return 'It took too long.';
  }
  return exit.kind === 'exited' && exit.code === 0 ? undefined : exit.lastErrorLines.join('\n');
}
