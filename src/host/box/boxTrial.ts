import { randomBytes } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { connect, createServer, type AddressInfo, type ListenOptions, type NetConnectOpts, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { messageOf } from '../../base/errors.ts';
import { runProgram } from '../../platform/processes/runProgram.ts';
import type { BoxObstacle } from './boxes.ts';
import { boxHome } from './boxPlan.ts';
import { type BoxTools, openBox, type OpenedBox } from './boxTools.ts';
import { mountsOf } from './bubblewrap.ts';

type Unreliable = Extract<BoxObstacle, { readonly kind: 'unreliable' }>;
type Probe = Unreliable['probes'][number];

/** How long a trial may take; it takes a small part of that. */
const trialMs = 10_000;
/** The most characters of what a failed trial said that are shown. */
const maxWords = 300;

/**
 * What is run in the box: it tries what must fail and what must work, by the system's own programs, as much of it at once as can be.
 * `$1` is a folder that may be read, `$2` one that may not, `$3` its own; `$4` is a port that must not be reached, `$5` that of the
 * proxy, `$6` what the proxy wants to hear; `$7` is a word that ends the answer.
 */
const script = (connections: string): string => `
PATH=/usr/bin:/bin:/run/current-system/sw/bin
look() { if { read -r line < "$2"; } 2>/dev/null; then echo "$1 $line"; fi; }
${connections}
/bin/sh -c 'if { read -r line < "$1"; } 2>/dev/null; then echo "child $line"; fi' sh "$2/note" 2>/dev/null &
if ln "$2/note" "$3/hard" 2>/dev/null; then look hard "$3/hard"; fi &
look open "$1/note"
look closed "$2/note"
look hidden "$1/hidden/note"
look link "$1/link"
look disk "/System/Volumes/Data$2/note"
{ echo "$7" > "$3/written"; } 2>/dev/null
{ echo "$7" > "$1/written"; } 2>/dev/null
{ echo "$7" > "$2/written"; } 2>/dev/null
wait
{ echo "$7" > "$2/note"; } 2>/dev/null
echo "end $7"
`;

/** What the proxy is asked for; nobody has this name. */
const wish = ['GET http://trial.invalid/ HTTP/1.1', 'Host: trial.invalid', 'Connection: close'];

/**
 * How the system's own programs connect to the port, to the socket in the folder that may be read, to the own socket and to the proxy.
 * Each program costs time: socat joins the own socket, on which the trial itself says what the proxy is to hear, with the proxy.
 */
function connections(tools: BoxTools): string {
  const lines =
    tools.kind === 'bubblewrap'
      ? [
          `exec '${tools.socat}' -T1 UNIX-CONNECT:"$3/s" TCP4:127.0.0.1:$5`,
          `exec '${tools.socat}' -T1 - TCP4:127.0.0.1:$4`,
          `cd "$1" && exec '${tools.socat}' -T1 - UNIX-CONNECT:./s`,
        ]
      : [
          `printf '${[...wish, 'Proxy-Authorization: %s'].join('\\r\\n')}\\r\\n\\r\\n' "$6" | /usr/bin/nc -w 1 127.0.0.1 $5`,
          'exec /usr/bin/nc -w 1 127.0.0.1 $4',
          'exec /usr/bin/nc -w 1 -U "$1/s"',
          'exec /usr/bin/nc -w 1 -U "$3/s"',
        ];
  return lines.map((line) => `{ ${line}; } </dev/null >/dev/null 2>&1 &`).join('\n');
}

/**
 * Tries a box of the very kind in which servers run, with files and listeners that are made for it. Undefined where everything that must
 * be refused was refused, and everything that must work worked; else what was not so. What counts is seen from outside, wherever it can
 * be: files that were written, and connections that came.
 */
export async function tryBox(tools: BoxTools): Promise<Unreliable | undefined> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'duplex-trial-')));
  const trial = new Trial(folder, tools);
  try {
    return await trial.run();
  } catch (error) {
    return { kind: 'unreliable', probes: ['starts'], said: messageOf(error).slice(0, maxWords) };
  } finally {
    trial.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface TrialFolders {
  readonly open: string;
  readonly closed: string;
  readonly own: string;
}

class Trial {
  readonly #tools: BoxTools;
  readonly #folders: TrialFolders;
  readonly #word = randomBytes(12).toString('hex');
  readonly #secret = randomBytes(12).toString('hex');
  /** How often each listener was reached. */
  readonly #met = { port: 0, openSocket: 0, ownSocket: 0, proxy: 0 };
  readonly #servers: Server[] = [];
  #box: OpenedBox | undefined;

  constructor(folder: string, tools: BoxTools) {
    this.#tools = tools;
    this.#folders = { open: path.join(folder, 'open'), closed: path.join(folder, 'closed'), own: path.join(folder, 'own') };
  }

  async run(): Promise<Unreliable | undefined> {
    const port = await this.#prepare();
    const { spec } = (this.#box = await this.#makeBox());
    const { command: program, args, env, cwd, furtherInput } = spec;
    // The script is told the port of the proxy, which is known only now.
    const told = [String(port), String(this.#box.proxy.port), this.#box.proxy.authorization, this.#word];
    const request = { program, args: [...args, ...told], env, cwd, furtherInput, maxBytes: 100_000, timeoutMs: trialMs };
    const { output, errorText } = await runProgram(request, new AbortController().signal);
    // Connections are taken in the order in which they came: once these are, none from the box is still waiting.
    await Promise.all([knock({ port, host: '127.0.0.1' }), knock({ path: path.join(this.#folders.open, 's') })]);
    return this.#judge(output.toString('utf8'), errorText);
  }

  close(): void {
    this.#box?.close();
    this.#servers.forEach((server) => server.close());
  }

  /** Makes the files, and listens. Returns the port that must not be reached. */
  async #prepare(): Promise<number> {
    const { open, closed, own } = this.#folders;
    await Promise.all([path.join(open, 'hidden'), closed, own].map((folder) => mkdir(folder, { recursive: true })));
    const notes: readonly (readonly [string, string])[] = [
      [path.join(open, 'note'), this.#word],
      [path.join(open, 'hidden/note'), this.#secret],
      [path.join(closed, 'note'), this.#secret],
    ];
    await Promise.all(notes.map(([file, text]) => writeFile(file, `${text}\n`)));
    await symlink(path.join(closed, 'note'), path.join(open, 'link'));
    const [listener] = await Promise.all([
      this.#listen('port', { port: 0, host: '127.0.0.1' }),
      this.#listen('openSocket', { path: path.join(open, 's') }),
      this.#listen('ownSocket', { path: path.join(own, 's') }),
    ]);
    return (listener.address() as AddressInfo).port;
  }

  async #listen(name: 'port' | 'openSocket' | 'ownSocket', place: ListenOptions): Promise<Server> {
    const server = createServer((socket) => {
      this.#met[name] += 1;
      socket.on('error', () => undefined);
      if (name === 'ownSocket' && this.#tools.kind === 'bubblewrap') {
        // It is joined with the proxy, whose answer comes back.
        socket.once('data', () => socket.destroy()).write(`${wish.join('\r\n')}\r\n\r\n`);
      } else {
        socket.destroy();
      }
    });
    this.#servers.push(server);
    await new Promise<void>((resolve, reject) => server.once('error', reject).listen(place, resolve));
    return server;
  }

  async #makeBox(): Promise<OpenedBox> {
    const { open, closed, own } = this.#folders;
    const plan = { read: [{ path: open, shown: open }], write: [], hosts: [], notApplied: [], cwd: boxHome, isFetched: false };
    const mounts = await mountsOf(plan, { userHome: closed, secret: [path.join(open, 'hidden')], env: {} });
    const args = ['-c', script(connections(this.#tools)), 'sh', open, closed, boxHome];
    const run = { mounts, scratch: own, command: '/bin/sh', args, env: {}, cwd: boxHome, hosts: [] };
    return openBox({ ...run, onRefused: () => (this.#met.proxy += 1) }, this.#tools);
  }

  async #judge(output: string, errorText: string): Promise<Unreliable | undefined> {
    const { open, closed, own } = this.#folders;
    const isThere = (file: string): Promise<boolean> => access(file).then(isTrue, isFalse);
    const written = await readFile(path.join(own, 'written'), 'utf8').catch(() => '');
    const kept = await readFile(path.join(closed, 'note'), 'utf8').catch(() => '');
    const wasWritten = (await isThere(path.join(open, 'written'))) || (await isThere(path.join(closed, 'written')));
    const { port, openSocket, ownSocket, proxy } = this.#met;
    const worked = [output.includes(`open ${this.#word}`), written.includes(this.#word), ownSocket > 0, proxy > 0];
    const failures: Readonly<Record<Probe, boolean>> = {
      starts: !output.includes(`end ${this.#word}`),
      reads: output.includes(this.#secret),
      writes: wasWritten || kept.trim() !== this.#secret,
      connects: port > 1 || openSocket > 1,
      works: worked.includes(false),
    };
    const found = probes.filter((probe) => failures[probe]);
    // What never began cannot have worked: that is one trouble, not two.
    const told = failures.starts ? found.filter((probe) => probe !== 'works') : found;
    return told.length === 0 ? undefined : { kind: 'unreliable', probes: told, said: errorText.trim().slice(0, maxWords) };
  }
}

/** Connects from outside of the box, and waits until the listener has seen that. */
function knock(place: NetConnectOpts): Promise<void> {
  return new Promise((resolve) => {
    connect(place)
      .on('error', () => undefined)
      .on('close', () => resolve())
      .resume();
  });
}

const probes: readonly Probe[] = ['starts', 'reads', 'writes', 'connects', 'works'];
const isTrue = (): boolean => true;
const isFalse = (): boolean => false;
