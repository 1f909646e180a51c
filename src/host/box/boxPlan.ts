// box/: a local server in a box of its own: how far it reaches (this file), what makes the box on Linux (bubblewrap.ts) and on macOS
// (seatbelt.ts, both behind boxTools.ts), the sockets that it must not see (openSockets.ts), whether that can be relied on here
// (boxTrial.ts), the way out to the hosts that were allowed (boxProxy.ts), packages that are fetched before (fetchedPackages.ts,
// uvPackages.ts), and its start (boxes.ts).
import path from 'node:path';
import type { PreparedLaunch } from '../../definitions/prepareLaunch.ts';
import type { Expanded } from '../../definitions/variables.ts';

/** A file or a folder of this machine. `shown` keeps the names of variables, whose values may be secret. */
export interface BoxPath {
  readonly path: string;
  readonly shown: string;
}

/** How far a confined server reaches. Exactly this is shown and allowed. */
export interface BoxPlan {
  readonly read: readonly BoxPath[];
  readonly write: readonly BoxPath[];
  /** Hosts by name, `*.name`, `*`, and ports of this machine as `localhost:PORT`. */
  readonly hosts: readonly string[];
  /** What the definition asks for beyond that and does not get, because a repository must not choose its own box. */
  readonly notApplied: readonly string[];
  readonly cwd: string;
  readonly isFetched: boolean;
}

export interface BoxSurroundings {
  readonly folders: readonly string[];
  readonly userHome: string;
  /** The program's own path with its links followed; undefined while the program is not known. */
  readonly realExecutable: string | undefined;
  /** Whether the definition came with what is open here. */
  readonly isOfRepository: boolean;
  /** The hosts that the person allowed when the server wanted them. */
  readonly allowedHosts: readonly string[];
  /** Folders with interpreters that the program runs its packages with. */
  readonly runtimes: readonly string[];
}

/** Where the scratch folder of a server is seen in its box. It is its home, too. On macOS this stands for the folder itself. */
export const boxHome = '/box';

/** The folders of programs and libraries, which every box reads. */
export const systemFolders: readonly string[] = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix/store',
  '/run/current-system/sw',
  '/home/linuxbrew/.linuxbrew',
];

/** What no box reads, whatever its definition says: below the home folder. */
export const credentialPlaces: readonly string[] = [
  '.ssh',
  '.1password',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.oci',
  '.terraform.d',
  '.password-store',
  '.netrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pypirc',
  '.pgpass',
  '.my.cnf',
  '.git-credentials',
  '.vault-token',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.m2/settings.xml',
  '.gradle/gradle.properties',
  '.config/gcloud',
  '.config/gh',
  '.config/git/credentials',
  '.config/op',
  '.config/rclone',
  '.config/sops',
  '.config/google-chrome',
  '.config/chromium',
  '.config/Claude',
  '.config/Code',
  '.config/Code - Insiders',
  '.config/VSCodium',
  '.config/Cursor',
  '.local/share/keyrings',
  '.mozilla',
  '.vscode',
  '.vscode-insiders',
  '.vscode-server',
  '.vscode-server-insiders',
  '.vscode-remote',
  '.cursor',
  '.codeium',
  '.copilot',
  '.claude',
  '.claude.json',
  '.codex',
  '.gemini',
  '.duplex',
  '.colima',
  '.lima',
  '.orbstack',
  'Library/Accounts',
  'Library/Application Support/1Password',
  'Library/Application Support/Claude',
  'Library/Application Support/Code',
  'Library/Application Support/Code - Insiders',
  'Library/Application Support/Cursor',
  'Library/Application Support/Firefox',
  'Library/Application Support/Google/Chrome',
  'Library/Application Support/VSCodium',
  'Library/Containers',
  'Library/Cookies',
  'Library/Group Containers',
  'Library/Keychains',
  'Library/Mail',
  'Library/Messages',
  'Library/Safari',
  '.bash_history',
  '.zsh_history',
  '.python_history',
  '.node_repl_history',
];

/** Plans the box of a server: what every confined server has, and what the person's own definition adds. */
export function planBox(launch: PreparedLaunch, around: BoxSurroundings): BoxPlan {
  const { sandbox, definition, cwd } = launch;
  const own = around.isOfRepository ? undefined : sandbox;
  const folders = definition.folder === undefined ? around.folders : [definition.folder.path];
  const resolved = ({ value, shown }: Expanded): BoxPath => {
    const absolute = path.resolve(cwd, value);
    return { path: absolute, shown: value === shown ? absolute : shown };
  };
  const write = (own?.write ?? []).map(resolved);
  const programs = programPlaces(launch, around).map(plainPath);
  const wanted = [...folders.map(plainPath), ...programs, ...(own?.read ?? []).map(resolved)];
  const wantsFolder = !around.isOfRepository && definition.raw.cwd !== undefined;
  const read = [...wanted, ...(wantsFolder ? [plainPath(cwd)] : [])];
  const isSeen = [...read, ...write].some((place) => isWithin(cwd, place.path));
  return {
    read: withoutDouble(read),
    write: withoutDouble(write),
    hosts: [...new Set([...(own?.network ?? []).map(({ value }) => value.toLowerCase()), ...around.allowedHosts])].sort(),
    notApplied: around.isOfRepository ? wordsOf(sandbox) : [],
    cwd: isSeen ? cwd : boxHome,
    isFetched: isFetcher(launch.executable ?? launch.command.value),
  };
}

/** Programs that fetch what they run, and that can be told to fetch first and to run without a network. */
export function isFetcher(executable: string): boolean {
  return /^(?:npx|uvx)$/.test(path.basename(executable));
}

const otherFetchers = /^(?:uv|pipx|bunx?|pnpx?|pnpm|yarn|npm|deno|dotnet|dnx|nix|nix-shell)$/;
const handsOn = /^(?:docker|podman|nerdctl|flatpak|snap)$/;

/** Why a program has no use for a box: it fetches what it runs, or has a service of the system run it. */
export function unfitFor(executable: string): 'fetches' | 'elsewhere' | undefined {
  const name = path.basename(executable);
  return otherFetchers.test(name) ? 'fetches' : handsOn.test(name) ? 'elsewhere' : undefined;
}

export function isWithin(file: string, folder: string): boolean {
  return file === folder || file.startsWith(folder.endsWith('/') ? folder : `${folder}/`);
}

function plainPath(place: string): BoxPath {
  return { path: place, shown: place };
}

function withoutDouble(places: readonly BoxPath[]): readonly BoxPath[] {
  return places.filter((place, index) => places.findIndex((each) => each.path === place.path) === index);
}

function wordsOf(sandbox: PreparedLaunch['sandbox']): readonly string[] {
  const words = (key: string, texts: readonly Expanded[]): readonly string[] => texts.map(({ shown }) => `${key}: ${shown}`);
  return [...words('read', sandbox?.read ?? []), ...words('write', sandbox?.write ?? []), ...words('network', sandbox?.network ?? [])];
}

/**
 * The places outside of the system that the program itself needs: the folder of its installation where that was found on the PATH,
 * and the program alone otherwise. A path that a repository wrote must not open the folder around it.
 */
function programPlaces({ executable, command }: PreparedLaunch, around: BoxSurroundings): string[] {
  const { realExecutable, userHome, isOfRepository, runtimes } = around;
  const isNamed = command.value.includes('/');
  // uvx is a small program that starts the one beside it.
  const files = [executable, realExecutable].flatMap((file) =>
    file === undefined ? [] : path.basename(file) === 'uvx' && !isNamed ? [file, path.join(path.dirname(file), 'uv')] : [file],
  );
  const places = files
    .filter((file) => !systemFolders.some((folder) => isWithin(file, folder)))
    .map((file) => {
      const folder = path.dirname(file);
      const installation = path.basename(folder) === 'bin' ? path.dirname(folder) : folder;
      return (isNamed && isOfRepository) || isWide(installation, userHome) ? file : installation;
    });
  return [...places, ...runtimes];
}

/** Whether a folder holds more than one program's installation: the home folder, one around it, or one with secret places. */
function isWide(folder: string, userHome: string): boolean {
  const secret = credentialPlaces.map((place) => path.join(userHome, place));
  return (
    path.dirname(folder) === folder ||
    isWithin(userHome, folder) ||
    secret.some((place) => isWithin(place, folder)) ||
    folder === path.join(userHome, '.local')
  );
}
