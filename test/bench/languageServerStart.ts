/** Run by itself: prints how long the language server takes from its start to the first problems of a file, beside a bare process. */
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import * as path from 'node:path';
import {
  createProtocolConnection,
  DidOpenTextDocumentNotification,
  InitializedNotification,
  InitializeRequest,
  IPCMessageReader,
  IPCMessageWriter,
  PublishDiagnosticsNotification,
} from 'vscode-languageserver/node';
import { repositoryRoot } from '../support/run/repository.mjs';
import { median, overRounds, reportRows } from './rows.ts';

const rounds = 10;
const program = path.join(repositoryRoot, 'dist/languageServer.js');
const uri = 'file:///projects/.mcp.json';

const small = configuration(3);
const large = configuration(500);
await firstProblems(small); // the first one reads the program from the disk
const measured: { bare: number; small: number; large: number }[] = [];
for (let round = 0; round < rounds; round += 1) {
  measured.push({ bare: await bareProcess(), small: await firstProblems(small), large: await firstProblems(large) });
}
const bare = median(measured.map((each) => each.bare));
console.log('\nthe language server of configuration files, from its start to the first problems (goal: a second)');
console.log(`a bare process        ${bare.toFixed(0)} ms`);
for (const [name, key] of [
  ['3 servers', 'small'],
  ['500 servers', 'large'],
] as const) {
  const time = overRounds(measured.map((each) => each[key]));
  console.log(`a file of ${name.padEnd(11)} ${time.measured.toFixed(0)} ms`);
  const beside = `a bare process ${bare.toFixed(0)} ms; the program ${(readFileSync(program).length / 1000).toFixed(0)} KB`;
  reportRows([
    { what: `the language server from its start to the problems of ${name}`, ...time, unit: 'ms', goal: { atMost: 1_000 }, beside },
  ]);
}

/** A file in which every server has something wrong. */
function configuration(count: number): string {
  const definition = { command: 'npx', args: ['-y', 'server'], env: { TOKEN: 'abc' }, ulr: 1 };
  const servers = Array.from({ length: count }, (_, index) => [`server${index}`, definition] as const);
  return JSON.stringify({ mcpServers: Object.fromEntries(servers) }, undefined, 2);
}

async function firstProblems(text: string): Promise<number> {
  const began = performance.now();
  const server = fork(program, ['--node-ipc'], { execArgv: [], silent: true });
  const connection = createProtocolConnection(new IPCMessageReader(server), new IPCMessageWriter(server));
  try {
    const told = new Promise<void>((resolve) => {
      connection.onNotification(PublishDiagnosticsNotification.type, ({ diagnostics }) => (diagnostics.length > 0 ? resolve() : undefined));
    });
    connection.listen();
    await connection.sendRequest(InitializeRequest.type, { processId: process.pid, rootUri: null, capabilities: {} });
    await connection.sendNotification(InitializedNotification.type, {});
    await connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: 'jsonc', version: 1, text },
    });
    await told;
    return performance.now() - began;
  } finally {
    connection.dispose();
    await ended(server);
  }
}

async function bareProcess(): Promise<number> {
  const began = performance.now();
  const child = spawn(process.execPath, ['-e', 'process.send("here")'], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
  await once(child, 'message');
  const took = performance.now() - began;
  await ended(child);
  return took;
}

async function ended(child: ChildProcess): Promise<void> {
  const exit = child.exitCode === null ? once(child, 'exit') : undefined;
  child.kill('SIGKILL');
  await exit;
}
