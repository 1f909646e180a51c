import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import * as path from 'node:path';
import esbuild from 'esbuild';
import type { JsonObject } from '../../../../src/base/json.ts';
import { recordOfflineAnswers } from '../../../../src/server/recordOfflineAnswers.ts';
import { initializeParams } from '../../server/support/httpPeer.ts';

export interface BuiltBridge {
  readonly script: string;
  readonly bytes: number;
  readonly inputs: readonly string[];
  remove(): Promise<void>;
}

/** The bridge as the build makes it, with the answers next to it. */
export async function buildBridge(): Promise<BuiltBridge> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), "duplex bridge's build-")));
  const script = path.join(folder, 'stdioBridge.mjs');
  const { metafile } = await esbuild.build({
    entryPoints: [path.resolve(import.meta.dirname, '../../../../src/bridge/main.ts')],
    outfile: script,
    bundle: true,
    minify: true,
    metafile: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    logLevel: 'silent',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
  await writeFile(path.join(folder, 'offlineAnswers.json'), JSON.stringify(await recordOfflineAnswers('1.2.3')));
  return {
    script,
    bytes: Object.values(metafile.outputs)[0]?.bytes ?? 0,
    inputs: Object.keys(metafile.inputs),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

export interface BridgeStart {
  readonly script: string;
  readonly home: string;
  readonly cwd: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** A host that launched the bridge: what it sends is exactly what a test says. */
export class BridgePeer {
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #messages: JsonObject[] = [];
  #rest = '';
  #stderr = '';
  #isOver = false;
  readonly #wakes: (() => void)[] = [];
  #nextId = 0;

  constructor({ script, home, cwd, args = [], env }: BridgeStart) {
    const surroundings = { ...process.env, DUPLEX_HOME: home, DUPLEX_CLIENT_TOKEN: '', ...env };
    this.#child = spawn(process.execPath, [script, ...args], { cwd, env: surroundings });
    this.#child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
      const lines = (this.#rest + chunk).split('\n');
      this.#rest = lines.pop() ?? '';
      // Throws if anything but MCP is written.
      this.#messages.push(...lines.map((line) => JSON.parse(line) as JsonObject));
      this.#wake();
    });
    this.#child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      this.#stderr += chunk;
      this.#wake();
    });
    this.#child.stdin.on('error', () => undefined);
    this.exited = new Promise((resolve) => {
      this.#child.on('close', (code) => {
        this.#isOver = true;
        this.#wake();
        resolve(code);
      });
    });
  }

  get complaints(): string {
    return this.#stderr;
  }

  send(message: unknown): void {
    this.#child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** The first message, of those not taken yet, that fits. */
  async take(fits: (message: JsonObject) => boolean): Promise<JsonObject> {
    for (;;) {
      const place = this.#messages.findIndex(fits);
      const [found] = place === -1 ? [] : this.#messages.splice(place, 1);
      if (found !== undefined) {
        return found;
      }
      if (this.#isOver) {
        throw new Error(`The bridge is gone. ${this.#stderr}`);
      }
      await this.#change();
    }
  }

  async untilComplaint(pattern: RegExp): Promise<void> {
    while (!pattern.test(this.#stderr)) {
      await this.#change();
    }
  }

  notification(method: string): Promise<JsonObject> {
    return this.take((message) => message.method === method);
  }

  answerTo(id: number | string): Promise<JsonObject> {
    return this.take((message) => message.id === id && message.method === undefined);
  }

  /** Returns its id. */
  ask(method: string, params?: JsonObject): number {
    this.#nextId += 1;
    this.send({ jsonrpc: '2.0', id: this.#nextId, method, ...(params !== undefined && { params }) });
    return this.#nextId;
  }

  request(method: string, params?: JsonObject): Promise<JsonObject> {
    return this.answerTo(this.ask(method, params));
  }

  callTool(name: string, args: JsonObject = {}): Promise<JsonObject> {
    return this.request('tools/call', { name, arguments: args });
  }

  async initialize(protocolVersion = '2025-11-25'): Promise<JsonObject> {
    const answer = await this.request('initialize', initializeParams(protocolVersion));
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  signal(name: NodeJS.Signals): void {
    this.#child.kill(name);
  }

  /** As a host ends it: the exit code. */
  async close(): Promise<number | null> {
    this.#child.stdin.end();
    return this.exited;
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#wakes.push(resolve));
  }

  #wake(): void {
    for (const wake of this.#wakes.splice(0)) {
      wake();
    }
  }
}
