import { realpath } from 'node:fs/promises';
import path from 'node:path';
import type { Mount } from './bubblewrap.ts';
import { boxHome, isWithin, systemFolders } from './boxPlan.ts';
import { proxyVariables } from './boxProxy.ts';

/** What a box on macOS is made of. Every path is a real one: the system compares what links lead to. */
export interface SeatbeltRun {
  readonly mounts: readonly Mount[];
  /** The folder on this machine that is the server's own. */
  readonly scratch: string;
  /** The ports of this machine that may be reached: that of the proxy, and those that were named. */
  readonly ports: readonly number[];
}

const programFolders: readonly string[] = [
  ...systemFolders,
  '/System',
  '/Library/Apple',
  '/Library/Developer/CommandLineTools',
  '/Library/Frameworks',
  '/Applications/Xcode.app/Contents/Developer',
];

/** Below the folders of programs: the person's disk by its other name, and what services of the system keep. */
const closedOfSystem: readonly string[] = ['/System/Volumes', '/usr/local/var', '/opt/homebrew/var', '/opt/local/var'];

/** The files that libraries of the system read at their start. None of them is a secret. */
const systemFiles: readonly string[] = [
  '/System/Volumes/Preboot/Cryptexes',
  '/private/etc/group',
  '/private/etc/hosts',
  '/private/etc/localtime',
  '/private/etc/mime.types',
  '/private/etc/passwd',
  '/private/etc/protocols',
  '/private/etc/services',
  '/private/etc/ssl',
  '/private/var/db/dyld',
  '/private/var/db/timezone',
  '/private/var/db/xcode_select_link',
  '/private/var/select',
];

/** What `uname`, Node and Python ask the system about this machine: nothing about the processes of others. */
const machineFacts: readonly string[] = [
  'kern.argmax',
  'kern.hostname',
  'kern.maxfilesperproc',
  'kern.ngroups',
  'kern.osproductversion',
  'kern.osrelease',
  'kern.ostype',
  'kern.osversion',
  'kern.usrstack64',
  'kern.version',
  'kern.boottime',
  'sysctl.proc_cputype',
  'vm.loadavg',
];

/** A place of the person's disk has this before it where it is named by the disk. */
const otherName = '/System/Volumes/Data';

const reading = 'file-read* file-map-executable process-exec*';

/**
 * The profile of a box in the language of the system's sandbox. Everything is denied, then opened by exact paths and ports, and of
 * two rules the later one counts. What the server starts is in the same box. Throws for a path that cannot be written down exactly.
 */
export function seatbeltProfile({ mounts, scratch, ports }: SeatbeltRun): string {
  const places = mounts.map((mount) => ({ kind: mount.kind, at: ownName('from' in mount ? mount.from : mount.at) }));
  const links = mounts.flatMap((mount) => ('from' in mount && mount.at !== mount.from ? [mount.at] : []));
  const open = [...places.filter(({ kind }) => kind === 'read' || kind === 'write').map(({ at }) => at), scratch];
  return [
    '(version 1)',
    '(deny default)',
    ...ownProcesses,
    ...devices,
    allow(reading, programFolders.map(subpath)),
    deny(`${reading} file-write*`, closedOfSystem.map(subpath)),
    allow(reading, systemFiles.map(subpath)),
    // The names in the root are the same on every such machine, and the system's loader wants to read them; the others are links.
    allow('file-read*', ['/', '/etc', '/tmp', '/var', ...links].map(literal)),
    // Programs look at each folder on the way to a file. What else is in it stays unknown.
    allow('file-read-metadata', [...waysTo([...open, ...links, ...systemFiles, '/private/tmp'])].map(literal)),
    ...places.flatMap(({ kind, at }) => rulesOf(kind, at, places)),
    allow(`${reading} file-write*`, [subpath(scratch)]),
    '(deny file-write-setugid)',
    ...network(scratch, ports),
    '',
  ].join('\n');
}

const ownProcesses: readonly string[] = [
  '(allow process-fork)',
  '(allow signal (target same-sandbox))',
  '(allow process-info* (target same-sandbox))',
  allow('sysctl-read', [...machineFacts.map((name) => `(sysctl-name ${quoted(name)})`), ...['hw.', 'machdep.cpu.'].map(prefixOfFact)]),
  // Names of users and groups. No other service of the system is there: no keychain, no clipboard, no opening of other programs.
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
  '(allow ipc-posix-sem)',
];

const devices: readonly string[] = [
  allow('file-read* file-write-data file-ioctl', ['/dev/null', '/dev/zero'].map(literal)),
  allow('file-read*', ['/dev/random', '/dev/urandom'].map(literal)),
  allow('file-read* file-write-data', [subpath('/dev/fd')]),
];

function rulesOf(kind: Mount['kind'], at: string, places: readonly { readonly kind: Mount['kind']; readonly at: string }[]): string[] {
  switch (kind) {
    case 'read':
      return [allow(reading, [subpath(at)]), deny('file-write*', [subpath(at)])];
    case 'write':
      return [allow(`${reading} file-write*`, [subpath(at)])];
    case 'hiddenFile':
    case 'hiddenFolder': {
      // Rules go by names: whoever could rename a folder around it could read what it hides.
      const around = places.filter((place) => place.kind === 'write' && isWithin(at, place.at)).flatMap((place) => between(place.at, at));
      const closed = deny(`${reading} file-write*`, [subpath(at)]);
      return around.length === 0 ? [closed] : [closed, deny('file-write-unlink', around.map(literal))];
    }
  }
}

/** Sockets in its own folder, and of the rest of the network no more than these ports. */
function network(scratch: string, ports: readonly number[]): readonly string[] {
  return [
    '(allow system-socket (socket-domain AF_UNIX))',
    `(allow network-bind network-inbound (local unix-socket ${subpath(scratch)}))`,
    `(allow network-outbound (remote unix-socket ${subpath(scratch)}))`,
    ...ports.map((port) => `(allow network-outbound (remote ip "localhost:${port}"))`),
  ];
}

/** A text of a definition with the places that only boxes on Linux have: the own folder is seen there by another name. */
export function withOwnFolder(text: string, scratch: string): string {
  return text.replace(new RegExp(`(^|=)${boxHome}(?=/|$)`), (_all, before: string) => `${before}${scratch}`);
}

/** Variables that would change the very program that makes the box. */
const unsafeVariable = /^(?:DYLD_|LD_|Malloc|OBJC_|__)/;

/** The environment in the box: its home is the scratch folder, and its proxy is the only way out. */
export function seatbeltEnvironment(
  env: Readonly<Record<string, string>>,
  { scratch, proxy }: { readonly scratch: string; readonly proxy: string },
): Readonly<Record<string, string>> {
  const kept = Object.entries(env).filter(([name]) => !unsafeVariable.test(name));
  return {
    ...Object.fromEntries(kept.map(([name, value]) => [name, withOwnFolder(value, scratch)])),
    HOME: scratch,
    TMPDIR: path.posix.join(scratch, 'tmp'),
    ...proxyVariables(proxy),
  };
}

/** A folder as the system names it: links followed, and not by the name of the disk. */
export async function ownRealPath(folder: string): Promise<string> {
  return ownName(await realpath(folder));
}

function ownName(place: string): string {
  return isWithin(place, otherName) && place !== otherName ? place.slice(otherName.length) : place;
}

/** Every folder around these places. */
function waysTo(places: readonly string[]): ReadonlySet<string> {
  return new Set(places.flatMap((place) => between('/', place).concat(place)));
}

/** The folders below one folder that lead to a place in it. */
function between(folder: string, place: string): string[] {
  const parent = path.posix.dirname(place);
  return parent === folder || parent === place ? [] : [...between(folder, parent), parent];
}

function allow(operations: string, filters: readonly string[]): string {
  return `(allow ${operations} ${filters.join(' ')})`;
}

function deny(operations: string, filters: readonly string[]): string {
  return `(deny ${operations} ${filters.join(' ')})`;
}

function subpath(place: string): string {
  return `(subpath ${quoted(place)})`;
}

function literal(place: string): string {
  return `(literal ${quoted(place)})`;
}

function prefixOfFact(name: string): string {
  return `(sysctl-name-prefix ${quoted(name)})`;
}

/** A text of the language. Quotation marks and backslashes are its only special characters; a control character has no sure form. */
function quoted(text: string): string {
  if (!isSayable(text)) {
    throw new Error('A path with control characters cannot be part of a box.');
  }
  return `"${text.replace(/["\\]/g, '\\$&')}"`;
}

/** Whether a path can stand in a profile. */
export function isSayable(text: string): boolean {
  return !/\p{Cc}|\p{Cs}/u.test(text);
}
