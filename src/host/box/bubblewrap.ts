import { lstat, realpath } from 'node:fs/promises';
import path from 'node:path';
import { boxHome, isWithin, type BoxPlan, credentialPlaces, systemFolders } from './boxPlan.ts';
import { portSocket, proxySocket, proxyVariables } from './boxProxy.ts';
import { openSockets, realPaths } from './openSockets.ts';

/** One place in the box. `hidden`: something empty stands there instead of what this machine has. */
export type Mount = Opened | { readonly kind: 'hiddenFolder' | 'hiddenFile'; readonly at: string };

interface Opened {
  readonly kind: 'read' | 'write';
  readonly from: string;
  readonly at: string;
}

/** The files of `/etc` that programs need to find libraries, certificates and names. None of them is a secret. */
const systemFiles: readonly string[] = [
  'alternatives',
  'ca-certificates',
  'ca-certificates.conf',
  'fonts',
  'group',
  'hosts',
  'ld.so.cache',
  'ld.so.conf',
  'ld.so.conf.d',
  'localtime',
  'mime.types',
  'nsswitch.conf',
  'os-release',
  'passwd',
  'pki/ca-trust',
  'pki/tls/certs',
  'protocols',
  'services',
  'ssl/certs',
  'ssl/openssl.cnf',
  'static',
  'timezone',
].map((name) => `/etc/${name}`);

/** Where the sockets of the proxy are seen in the box. */
export const boxSockets = '/run/duplex';
/** The port on which programs in the box find the proxy. No other network is there. */
export const proxyPort = 3128;

export interface BoxedRun {
  readonly mounts: readonly Mount[];
  /** The folder on this machine that is the server's own. */
  readonly scratch: string;
  /** The folder on this machine with the sockets that lead out of the box. */
  readonly sockets: string;
  /** The ports of this machine that the server may reach. */
  readonly ports: readonly number[];
  readonly socat: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
}

/**
 * The options of bubblewrap, in the order in which it makes the box: an empty root with the system read-only, a process tree and a
 * network of its own, then the places of the plan, then what hides the secret ones among them.
 */
export function bubblewrapOptions(run: BoxedRun): readonly string[] {
  return [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    // As root bubblewrap would keep every capability, with which a program could undo the box.
    ...['--cap-drop', 'ALL'],
    ...[...systemFolders, ...systemFiles].flatMap((folder) => ['--ro-bind-try', folder, folder]),
    ...['--proc', '/proc'],
    ...['--dev', '/dev'],
    ...['--tmpfs', '/tmp'],
    ...['--bind', run.scratch, boxHome],
    ...['--ro-bind', run.sockets, boxSockets],
    ...run.mounts.flatMap(mountArguments),
    ...['--remount-ro', '/'],
    '--clearenv',
    ...Object.entries(boxEnvironment(run.env)).flatMap(([name, value]) => ['--setenv', name, value]),
    ...['--chdir', run.cwd],
  ];
}

/** What is started in the box: the forwarders of its network, and the program in their place. */
export function boxedCommand(run: BoxedRun): readonly string[] {
  return ['/bin/sh', '-c', launchLine(run), run.command, ...run.args];
}

function mountArguments(mount: Mount): readonly string[] {
  switch (mount.kind) {
    case 'read':
      return ['--ro-bind', mount.from, mount.at];
    case 'write':
      return ['--bind', mount.from, mount.at];
    case 'hiddenFolder':
      return ['--tmpfs', mount.at, '--remount-ro', mount.at];
    case 'hiddenFile':
      return ['--ro-bind', '/dev/null', mount.at];
  }
}

/**
 * The line holds no text of the definition: the program and its arguments are those of the shell. The program is started once the
 * forwarders listen, since its first act may be a request. It is started without them after five seconds, and says so.
 */
function launchLine({ socat, ports }: BoxedRun): string {
  const forwards = [{ port: proxyPort, socket: proxySocket }, ...ports.map((port) => ({ port, socket: portSocket(port) }))];
  const lines = forwards.map(
    ({ port, socket }) =>
      `'${socat}' TCP4-LISTEN:${port},bind=127.0.0.1,reuseaddr,fork UNIX-CONNECT:${boxSockets}/${socket} </dev/null >/dev/null 2>&1 &`,
  );
  return [...lines, waitLine(forwards.map(({ port }) => port)), 'exec "$0" "$@"'].join('\n');
}

/**
 * Waits in a shell of its own until the ports are among those on which the box listens. The shell reads that itself: each further
 * process would cost every start as much as the forwarders need to listen.
 */
function waitLine(ports: readonly number[]): string {
  const waits = ports.map((port) => {
    const listening = `:${port.toString(16).toUpperCase().padStart(4, '0')} 00000000:0000 0A `;
    const failed = `{ echo 'Nothing listens on port ${port} of the box.' >&2; exit; }`;
    return `until listens '${listening}'; do n=$((n + 1)); [ "$n" -le 500 ] || ${failed}; sleep 0.01; done`;
  });
  const listens = 'listens() { while read -r line; do case "$line" in *"$1"*) return 0; esac; done < /proc/net/tcp; return 1; }';
  return `(PATH=/usr/bin:/bin:/run/current-system/sw/bin; ${listens}; n=0; ${waits.join('; ')})`;
}

/** The environment in the box: its home is the scratch folder, and its proxy is the only way out. */
function boxEnvironment(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return { ...env, HOME: boxHome, TMPDIR: '/tmp', ...proxyVariables(`http://127.0.0.1:${proxyPort}`) };
}

/** What a box does not have, whatever its plan says. */
export interface ClosedPlaces {
  readonly userHome: string;
  /** Places that no box reads, beside those below the home folder. */
  readonly secret: readonly string[];
  /** The variables of the editor, which name sockets. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * The places of a plan as they are on this machine now: links are followed, what is not there is left out, and what is secret is
 * hidden, as are the sockets of other programs: a place that is only read would not keep anybody from connecting to them.
 */
export async function mountsOf(plan: BoxPlan, { userHome, secret, env }: ClosedPlaces): Promise<readonly Mount[]> {
  const sockets = await openSockets(env);
  const places = await realPaths([...credentialPlaces.map((place) => path.join(userHome, place)), ...secret]);
  const closed = [...places, ...sockets.named];
  const mounts: Opened[] = [];
  for (const kind of ['read', 'write'] as const) {
    for (const { path: at } of plan[kind]) {
      const from = await realpath(at).catch(() => undefined);
      if (from === undefined || closed.some((place) => isWithin(from, place)) || isOfSystem(from)) {
        continue;
      }
      mounts.push({ kind, from, at });
      // Programs that follow links look for the real place.
      if (from !== at) {
        mounts.push({ kind, from, at: from });
      }
    }
  }
  // A wide place first, so that a narrow one in it keeps its own rights.
  mounts.sort((one, other) => one.at.length - other.at.length);
  // A socket that the person names is wanted, and so is what is open in a folder of passing files.
  const isWanted = (place: string): boolean => mounts.some(({ from }) => isWithin(from, place));
  const further = [...sockets.listening, ...sockets.folders].filter((place) => !isWanted(place));
  return [...mounts, ...(await hiding([...(await systemMounts()), ...mounts], [...closed, ...further]))];
}

async function systemMounts(): Promise<readonly Opened[]> {
  const real = await Promise.all(systemFolders.map((at) => realpath(at).catch(() => undefined)));
  return systemFolders.flatMap((at, index) => {
    const from = real[index];
    return from === undefined ? [] : [{ kind: 'read', from, at } as const];
  });
}

/** Sockets and devices of the system, its root and the folder of everybody's passing files are never in a box as a whole. */
function isOfSystem(from: string): boolean {
  return (
    ['/', '/tmp', '/private/tmp', '/private/var/folders', '/System/Volumes', '/System/Volumes/Data'].includes(from) ||
    ['/proc', '/sys', '/dev', '/run', '/var/run', '/private/var/run'].some((place) => isWithin(from, place) || isWithin(place, from))
  );
}

async function hiding(mounts: readonly Opened[], closed: readonly string[]): Promise<readonly Mount[]> {
  const hidden = mounts.flatMap(({ from, at }) =>
    closed.filter((place) => isWithin(place, from)).map((place) => at + place.slice(from.length)),
  );
  const found = await Promise.all([...new Set(hidden)].map(async (at) => ({ at, kind: await hiddenKind(at) })));
  const folders = found.filter(({ kind }) => kind === 'hiddenFolder');
  // What is in a hidden folder is gone with it.
  const isGone = (at: string): boolean => folders.some((folder) => folder.at !== at && isWithin(at, folder.at));
  return found.flatMap(({ at, kind }): readonly Mount[] => (kind === undefined || isGone(at) ? [] : [{ kind, at }]));
}

async function hiddenKind(at: string): Promise<'hiddenFolder' | 'hiddenFile' | undefined> {
  const found = await lstat(at).catch(() => undefined);
  return found && (found.isDirectory() ? 'hiddenFolder' : 'hiddenFile');
}
