import { randomBytes } from 'node:crypto';
import { access, constants, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ChildSpec } from '../processes/serverProcess.ts';
import type { BoxesOptions } from './boxes.ts';
import { boxHome } from './boxPlan.ts';
import { BoxProxy, portsIn } from './boxProxy.ts';
import { boxedCommand, bubblewrapOptions, proxyPort, type BoxedRun } from './bubblewrap.ts';
import { ownRealPath, isSayable, seatbeltEnvironment, seatbeltProfile, withOwnFolder } from './seatbelt.ts';

/** The programs that make boxes: bubblewrap and socat on Linux, the system's own sandbox on macOS. */
export type BoxTools =
  | { readonly kind: 'bubblewrap'; readonly bubblewrap: string; readonly socat: string }
  | { readonly kind: 'seatbelt'; readonly sandbox: string };

/** What runs in a box, and how far it reaches. */
export interface BoxContent extends Pick<BoxedRun, 'mounts' | 'scratch' | 'command' | 'args' | 'env' | 'cwd'> {
  readonly hosts: readonly string[];
  readonly onRefused: (host: string) => void;
}

/** A box that is made: what is to be started for it, and how its way out is closed. */
export interface OpenedBox {
  readonly spec: ChildSpec;
  /** How its programs ask the proxy. */
  readonly proxy: { readonly port: number; readonly authorization: string };
  close(): void;
}

/** Where the system keeps its own programs. PATH is not asked: a repository's folder could stand in it. */
const programFolders: readonly string[] = ['/usr/bin', '/bin', '/usr/local/bin', '/run/current-system/sw/bin'];
/** The variable that names another bubblewrap than the system's. */
const programVariable = 'DUPLEX_BUBBLEWRAP';

/** Whether servers can be confined on this system at all. */
export function hasBoxes(platform: NodeJS.Platform): boolean {
  return platform === 'linux' || platform === 'darwin';
}

export async function findTools({ env, platform, sandboxProgram }: BoxesOptions): Promise<BoxTools | { readonly missing: string }> {
  if (platform === 'darwin') {
    const sandbox = await firstProgram([sandboxProgram ?? '/usr/bin/sandbox-exec']);
    return sandbox === undefined ? { missing: 'sandbox-exec' } : { kind: 'seatbelt', sandbox };
  }
  const chosen = env[programVariable];
  const bubblewrap = await firstProgram(chosen === undefined ? programFolders.map((folder) => path.join(folder, 'bwrap')) : [chosen]);
  const socat = await firstProgram(programFolders.map((folder) => path.join(folder, 'socat')));
  if (bubblewrap !== undefined && socat !== undefined) {
    return { kind: 'bubblewrap', bubblewrap, socat };
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

/** Makes a box and opens its way out. */
export function openBox(content: BoxContent, tools: BoxTools): Promise<OpenedBox> {
  return tools.kind === 'bubblewrap' ? openBubblewrap(content, tools) : openSeatbelt(content, tools);
}

async function openBubblewrap(content: BoxContent, tools: BoxTools & { readonly kind: 'bubblewrap' }): Promise<OpenedBox> {
  const { hosts, onRefused } = content;
  const sockets = await mkdtemp(path.join(tmpdir(), 'duplex-box-'));
  const proxy = await BoxProxy.listen({ folder: sockets, hosts, onRefused });
  const run = { ...content, sockets, socat: tools.socat, ports: portsIn(hosts) };
  const spec: ChildSpec = {
    command: tools.bubblewrap,
    // What the box is made of goes through a pipe: the variables of a server are nobody else's business, and must not reach
    // bubblewrap itself, which runs outside.
    args: ['--args', '3', '--', ...boxedCommand(run)],
    furtherInput: bubblewrapOptions(run)
      .map((option) => `${option}\0`)
      .join(''),
    env: {},
    cwd: '/',
  };
  const close = (): void => {
    proxy.close();
    void rm(sockets, { recursive: true, force: true }).catch(() => undefined);
  };
  return { spec, proxy: { port: proxyPort, authorization: '' }, close };
}

/** On macOS a box has no network of its own: the proxy is a port of this machine, so it lets in only who has its password. */
async function openSeatbelt(content: BoxContent, { sandbox }: BoxTools & { readonly kind: 'seatbelt' }): Promise<OpenedBox> {
  const { hosts, onRefused, command, args, env, cwd } = content;
  await mkdir(path.join(content.scratch, 'tmp'), { recursive: true, mode: 0o700 });
  const scratch = await ownRealPath(content.scratch);
  const mounts = content.mounts.filter((mount) => isSayable(mount.at) && (!('from' in mount) || isSayable(mount.from)));
  const password = randomBytes(24).toString('base64url');
  const proxy = await BoxProxy.listen({ password, hosts, onRefused });
  try {
    const profile = seatbeltProfile({ mounts, scratch, ports: [proxy.port, ...portsIn(hosts)] });
    const spec: ChildSpec = {
      command: sandbox,
      args: ['-p', profile, command, ...args.map((arg) => withOwnFolder(arg, scratch))],
      env: seatbeltEnvironment(env, { scratch, proxy: `http://duplex:${password}@127.0.0.1:${proxy.port}` }),
      cwd: cwd === boxHome ? scratch : cwd,
    };
    return { spec, proxy: { port: proxy.port, authorization: proxy.authorization ?? '' }, close: () => proxy.close() };
  } catch (error) {
    proxy.close();
    throw error;
  }
}
