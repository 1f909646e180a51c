// An MCP server over stdio without dependencies that offers more than tools. It behaves, unless told otherwise by one argument:
//   toolsOnly       declares tools and nothing else
//   endlessPrompts  lists prompts on pages that never end
//   noTemplates     declares resources and knows no list of templates
// Its tools: `received` tells the methods it was sent, `notify` sends a notification, `ask` sends a request and gives back
// what came of it (the prompt and the resource that are called `asking` do it too), `change` adds a prompt and a resource, `misfit` gives structured content that does not fit its schema.
import process from 'node:process';
import { createInterface } from 'node:readline';

const mode = process.argv[2] ?? 'normal';
const received = [];
const waiting = new Map();
const names = ['first', 'second', 'second'];
let reads = 0;
let nextId = 1;

const text = (value) => ({ content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }] });

function write(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}

const tools = {
  received: () => text(received),
  notify: ({ method, params, times = 1 }) => {
    for (let count = 0; count < times; count += 1) {
      write({ method, params });
    }
    return text('sent');
  },
  ask: async ({ method, params }) => {
    const id = `of-server-${nextId++}`;
    const answered = new Promise((resolve) => waiting.set(id, resolve));
    write({ id, method, params });
    return text(await answered);
  },
  change: () => {
    names.push('third');
    write({ method: 'notifications/prompts/list_changed' });
    write({ method: 'notifications/resources/list_changed' });
    return text('changed');
  },
  misfit: () => ({ ...text('{"answer": "many"}'), structuredContent: { answer: 'many' } }),
};
const outputSchema = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] };

function page(items, cursor) {
  const index = Number(cursor ?? 0);
  return index + 1 < items.length ? { items: [items[index]], nextCursor: String(index + 1) } : { items: items.slice(index) };
}

const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities:
      mode === 'toolsOnly'
        ? { tools: {} }
        : { tools: {}, prompts: { listChanged: true }, resources: { subscribe: true, listChanged: true }, completions: {}, logging: {} },
    serverInfo: { name: 'features', version: '1.0.0' },
    instructions: 'Ask me\u200B nicely.',
  }),
  ping: () => ({}),
  'tools/list': () => ({
    tools: Object.keys(tools).map((name) => ({
      name,
      inputSchema: {
        type: 'object',
        ...(name === 'ask' ? { properties: { method: { type: 'string' }, params: { type: 'object' } } } : {}),
      },
      ...(name === 'misfit' ? { outputSchema } : {}),
    })),
  }),
  'tools/call': ({ name, arguments: args }) => tools[name]?.(args ?? {}),
  'prompts/list': ({ cursor }) => {
    if (mode === 'endlessPrompts') {
      return { prompts: [], nextCursor: String(Number(cursor ?? 0) + 1) };
    }
    const { items, nextCursor } = page(names, cursor);
    return { prompts: items.map((name) => ({ name, arguments: [{ name: 'who', required: true }, { name: 'why' }] })), nextCursor };
  },
  'prompts/get': async ({ name, arguments: args }) => {
    const said = name === 'asking' ? await tools.ask(JSON.parse(args.request)) : text(`Hello ${args.who}`);
    return { description: `About ${name}`, messages: [{ role: 'user', content: said.content[0] }] };
  },
  'resources/list': ({ cursor }) => {
    const { items, nextCursor } = page(names, cursor);
    return { resources: items.map((name) => ({ uri: `test://${name}`, name, mimeType: 'text/plain', size: 5 })), nextCursor };
  },
  'resources/templates/list': () =>
    mode === 'noTemplates' ? undefined : { resourceTemplates: [{ uriTemplate: 'test://{name}', name: 'by name' }] },
  'resources/read': async ({ uri }) => {
    reads += 1;
    if (uri.startsWith('test://asking/')) {
      return { contents: [{ uri, ...(await tools.ask(JSON.parse(decodeURIComponent(uri.slice(14))))).content[0] }] };
    }
    if (uri === 'test://huge') {
      return { contents: [{ uri, text: 'x'.repeat(11 * 1024 * 1024) }] };
    }
    const contents = [
      { uri, text: `read ${reads}` },
      { uri, mimeType: 'image/png', blob: 'AAAA' },
    ];
    return uri === 'test://kept' ? { contents, ttlMs: 60_000 } : { contents };
  },
  'resources/subscribe': () => ({}),
  'resources/unsubscribe': () => ({}),
  'logging/setLevel': () => ({}),
  'completion/complete': ({ ref, argument, context }) => ({
    completion: { values: [JSON.stringify([ref, argument, context ?? null])], hasMore: true },
  }),
};

async function receive(message) {
  if (message.method === undefined) {
    waiting.get(message.id)?.(message.error === undefined ? { result: message.result } : { error: message.error });
    return;
  }
  const { method, params = {}, id } = message;
  received.push(method === 'tools/call' ? `${method} ${params.name}` : params.uri === undefined ? method : `${method} ${params.uri}`);
  if (method === 'logging/setLevel') {
    received.push(params.level);
  }
  if (id !== undefined) {
    const result = await answers[method]?.(params);
    write(result === undefined ? { id, error: { code: -32601, message: 'Unknown method' } } : { id, result });
  }
}

createInterface({ input: process.stdin }).on('line', (line) => void receive(JSON.parse(line)));
