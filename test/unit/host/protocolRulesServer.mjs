// An MCP server over stdio that does what a test wants, also what no server should. Its one argument is JSON:
//   versionFile   a file with the revision it answers a greeting with, or nothing for the one it was asked for
//   capabilities  what it declares
//   notes         a file that gets every message it receives, one per line
//   early         messages it sends before it answers the greeting
// Its tools: `send` writes lines before and after its own answer, where "$id" stands for the id of the call, or puts the
// answer and other messages into one array; `ask` sends a request and gives back what came of it; `exit` ends the server.
import { appendFileSync, readFileSync } from 'node:fs';
import process from 'node:process';
import { createInterface } from 'node:readline';

const { versionFile, capabilities = { tools: {} }, notes, early = [] } = JSON.parse(process.argv[2]);
const waiting = new Map();
let nextId = 1;
let reads = 0;

const text = (value) => ({ content: [{ type: 'text', text: JSON.stringify(value) }] });
const writeLine = (line) => process.stdout.write(`${line}\n`);
const write = (message) => writeLine(JSON.stringify({ jsonrpc: '2.0', ...message }));

const tools = {
  send: (id, { before = [], after = [], together }) => {
    const fill = (line) => line.replaceAll('"$id"', JSON.stringify(id));
    before.forEach((line) => writeLine(fill(line)));
    const answer = { jsonrpc: '2.0', id, result: text('sent') };
    writeLine(JSON.stringify(together === undefined ? answer : [...together, answer]));
    after.forEach((line) => writeLine(fill(line)));
  },
  ask: async (id, { method, params }) => {
    const own = `own-${nextId++}`;
    const answered = new Promise((resolve) => waiting.set(own, resolve));
    write({ id: own, method, params });
    const { result, error } = await answered;
    write({ id, result: text({ result, error }) });
  },
  exit: () => process.exit(0),
};

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion: readFileSync(versionFile, 'utf8') || protocolVersion,
    capabilities,
    serverInfo: { name: 'rules', version: '1.0.0' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: Object.keys(tools).map((name) => ({ name, inputSchema: { type: 'object' } })) }),
  'resources/list': () => ({ resources: [] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: `read ${++reads}` }], ttlMs: 60_000 }),
  'resources/subscribe': () => ({}),
  'prompts/list': () => ({ prompts: [] }),
};

function receive(line) {
  appendFileSync(notes, `${line}\n`);
  const { id, method, params = {}, ...answer } = JSON.parse(line);
  if (method === undefined) {
    waiting.get(id)?.(answer);
  } else if (method === 'tools/call') {
    void tools[params.name](id, params.arguments ?? {});
  } else if (id !== undefined) {
    if (method === 'initialize') {
      early.forEach(write);
    }
    const result = answers[method]?.(params);
    write(result === undefined ? { id, error: { code: -32601, message: 'Method not found' } } : { id, result });
  }
}

createInterface({ input: process.stdin }).on('line', receive);
