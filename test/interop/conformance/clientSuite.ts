import { createServer, type Server, type Socket } from 'node:net';
import { once } from 'node:events';
import path from 'node:path';
import { build } from 'esbuild';
import { turnPortVariable } from '../../fixtures/conformance/turn.ts';
import { ensureNewNode, ensurePeerProgram } from '../../support/peers/peers.mjs';
import { outFolder, repositoryRoot } from '../../support/run/repository.mjs';
import { runProcess } from '../../support/run/runProcess.mjs';
import { readSummary, type Revision, type SuiteResult } from './suiteResult.ts';

export interface SuiteOptions {
  /** Only this one; all that the revision requires otherwise. */
  readonly scenario?: string | undefined;
}

const clientMs = 100_000;
const suiteMs = 170_000;
const clientsAtOnce = 2;

/** Runs the client requirements of a revision, with Duplex's host code as the client. */
export async function runClientSuite(revision: Revision, options: SuiteOptions = {}): Promise<SuiteResult> {
  const [node, suite, client, turns] = await Promise.all([
    ensureNewNode(),
    ensurePeerProgram('conformance', '@modelcontextprotocol/conformance'),
    buildClient(),
    giveTurns(clientsAtOnce),
  ]);
  const selection =
    options.scenario === undefined
      ? ['--requirements', revision]
      : ['--scenario', options.scenario, '--spec-version', revision, '--verbose'];
  try {
    const { output } = await runProcess(
      node,
      [suite, 'client', '--command', `"${process.execPath}" "${client}"`, ...selection, '--timeout', String(clientMs)],
      { env: { [turnPortVariable]: String(turns.port), NODE_NO_WARNINGS: '1' }, timeoutMilliseconds: suiteMs, output: 'capture' },
    );
    return readSummary(output);
  } finally {
    await turns.close();
  }
}

/** One bundle loads several times faster than its many files. In a folder of the repository, where it finds esbuild. */
async function buildClient(): Promise<string> {
  const outfile = path.join(outFolder, 'conformance', 'client.mjs');
  await build({
    entryPoints: [path.join(repositoryRoot, 'test/fixtures/conformance/client.ts')],
    outdir: path.dirname(outfile),
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['esbuild'],
    minify: true,
    banner: { js: requireForEsm },
    logLevel: 'error',
  });
  return outfile;
}

const requireForEsm = "import { createRequire as __createRequire } from 'node:module'; const require = __createRequire(import.meta.url);";

/** Whoever connects waits for a byte; its turn ends when its connection does. */
async function giveTurns(atOnce: number): Promise<{ readonly port: number; close(): Promise<void> }> {
  const waiting = new Set<Socket>();
  const running = new Set<Socket>();
  const next = (): void => {
    for (const socket of waiting) {
      if (running.size < atOnce) {
        waiting.delete(socket);
        running.add(socket);
        socket.write('.');
      }
    }
  };
  const server: Server = createServer((socket) => {
    waiting.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => {
      waiting.delete(socket);
      running.delete(socket);
      next();
    });
    socket.resume();
    next();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: async () => {
      [...waiting, ...running].forEach((socket) => socket.destroy());
      server.close();
      await once(server, 'close');
    },
  };
}
