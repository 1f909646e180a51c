// An MCP server over stdio without dependencies whose tools are tasks, of 2025-11-25 or, with the argument `modern`, of
// 2026-07-28. What a task does is in its arguments:
//   states       what each look at it shows, one after the other; the last one stays
//   result       what it gives
//   error        what asking for its result gives instead
//   asks         the questions it has first; its result is then the answers (2026-07-28)
//   diesAt       the look at which the server ends
//   createMs     how long the server takes to name the task
//   isDirect     answers at once, without a task
//   task         replaces what is told of a task when it is made
// The tool `received` is no task and tells which methods were received, with the id of their task.
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

const isModern = process.argv[2] === 'modern';
const withoutCapability = process.argv[2] === 'noTasks';
const received = [];
const tasks = new Map();
const text = (value) => ({ content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }] });
const pollMs = 60;

function describe(id) {
  const { states, result, error, isCancelled, looks } = tasks.get(id);
  const [status, statusMessage] = isCancelled ? ['cancelled'] : (states[Math.min(looks, states.length - 1)] ?? ['working']);
  const times = { createdAt: '2026-01-01T00:00:00Z', lastUpdatedAt: '2026-01-01T00:00:00Z' };
  const poll = isModern ? { ttlMs: null, pollIntervalMs: pollMs } : { ttl: null, pollInterval: pollMs };
  const { asks, answeredAt = Infinity } = tasks.get(id);
  if (asks !== undefined && looks <= answeredAt + 1) {
    // Also at the look after the answer came: a server may be slow to take it.
    return { taskId: id, status: 'input_required', ...times, ...poll, inputRequests: asks };
  }
  const structured = { structuredContent: { answer: 1 }, ...result };
  const ending = isModern ? { ...(status === 'completed' ? { result: structured } : {}), ...(status === 'failed' ? { error } : {}) } : {};
  return { taskId: id, status, statusMessage, ...times, ...poll, ...ending };
}

async function call({ name, arguments: args = {}, task }) {
  if (name === 'received') {
    return text(received);
  }
  await sleep(args.createMs ?? 0);
  if (args.isDirect || (task === undefined && !isModern)) {
    return { ...text('direct'), structuredContent: { answer: 1 } };
  }
  const id = `task-${tasks.size + 1}`;
  tasks.set(id, { states: [['working']], result: text('done'), ...args, looks: 0 });
  const described = args.task ?? describe(id);
  return isModern ? { resultType: 'task', ...described } : { task: described };
}

function look(id) {
  const task = tasks.get(id);
  task.looks += 1;
  if (task.looks === task.diesAt) {
    process.exit(7);
  }
  return describe(id);
}

const schema = { type: 'object', properties: {} };
const outputSchema = { type: 'object', properties: { answer: { type: 'number' } }, required: ['answer'] };
const capabilities = isModern ? { tools: {}, extensions: { 'io.modelcontextprotocol/tasks': {} } } : { tools: {} };
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion,
    capabilities: withoutCapability ? capabilities : { ...capabilities, tasks: { cancel: {}, requests: { tools: { call: {} } } } },
    serverInfo: { name: 'tasks', version: '1.0.0' },
  }),
  ...(isModern ? { 'server/discover': () => ({ supportedVersions: ['2026-07-28'], capabilities, ttlMs: 0, cacheScope: 'private' }) } : {}),
  ping: () => ({}),
  'tools/list': () => ({
    tools: [
      { name: 'job', inputSchema: schema, ...(isModern ? { outputSchema } : { execution: { taskSupport: 'optional' } }) },
      { name: 'received', inputSchema: schema },
    ],
    ...(isModern ? { ttlMs: 0, cacheScope: 'private' } : {}),
  }),
  'tools/call': call,
  'tasks/get': ({ taskId }) => look(taskId),
  'tasks/result': ({ taskId }) => {
    const { result, error } = tasks.get(taskId);
    if (error !== undefined) {
      throw error;
    }
    return result;
  },
  'tasks/update': ({ taskId, inputResponses }) => {
    const task = tasks.get(taskId);
    Object.assign(task, { answeredAt: task.looks, result: text(inputResponses) });
    return {};
  },
  'tasks/cancel': ({ taskId }) => {
    tasks.get(taskId).isCancelled = true;
    return isModern ? {} : describe(taskId);
  },
};

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, method, params = {} } = JSON.parse(line);
  received.push(params.taskId === undefined ? method : `${method} ${params.taskId}`);
  if (id === undefined) {
    return;
  }
  const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...message })}\n`);
  const answer = answers[method];
  if (answer === undefined) {
    write({ error: { code: -32601, message: 'Unknown method' } });
    return;
  }
  try {
    const result = await answer(params);
    write({ result: isModern ? { resultType: 'complete', ...result } : result });
  } catch (error) {
    write({ error });
  }
});
