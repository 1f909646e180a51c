import type { Tool } from '../../../../src/server/offer/catalog/catalog.ts';
import { RpcError } from '../../../../src/server/protocol/rpc/rpc.ts';
import { answer, asking, failure, fixtureTool, form, pause, strings, text, words } from './fixtureTool.ts';

const confirmForm = form('Really?', { confirm: { type: 'boolean' } });
const nameForm = form('What is your name?', { name: { type: 'string' } });

/** Tools that become tasks, and one that does not. */
export const taskTools: readonly Tool[] = [
  fixtureTool('greet', 'Greets at once', ({ name }) => text(`Hello, ${words(name)}!`), { inputSchema: strings('name') }),
  fixtureTool(
    'slow_compute',
    'Takes some seconds',
    async ({ seconds, label }, call) => {
      await pause(Number(seconds) * 1_000, call.signal);
      return text(`${words(label)}: computed for ${words(seconds)} s`);
    },
    {
      taskSupport: 'optional',
      inputSchema: { type: 'object', properties: { seconds: { type: 'number' }, label: { type: 'string' } } },
    },
  ),
  fixtureTool(
    'failing_job',
    'Reports an error after a while',
    async (_args, call) => {
      await pause(500, call.signal);
      return failure('The job failed.');
    },
    { taskSupport: 'required' },
  ),
  fixtureTool(
    'protocol_error_job',
    'Breaks the protocol after a while',
    async (_args, call) => {
      await pause(100, call.signal);
      throw new RpcError(-32603, 'The job broke.');
    },
    { taskSupport: 'optional' },
  ),
  fixtureTool(
    'confirm_delete',
    'Asks once while it runs',
    ({ filename }, { inputResponses }) =>
      inputResponses.confirm === undefined ? asking({ confirm: confirmForm }) : text(`${words(filename)} deleted`),
    { taskSupport: 'optional', inputSchema: strings('filename') },
  ),
  fixtureTool(
    'multi_input',
    'Asks for two things while it runs',
    (_args, { inputResponses }) =>
      inputResponses.first === undefined || inputResponses.second === undefined
        ? asking({ first: nameForm, second: confirmForm })
        : text('both answered'),
    { taskSupport: 'optional' },
  ),
  fixtureTool(
    'test_tool_with_task',
    'Asks before it becomes a task',
    async (_args, call) => {
      await pause(100, call.signal);
      return text(`Hello, ${words(answer(call.inputResponses.user_name, 'name'))}!`);
    },
    {
      taskSupport: 'required',
      gather: ({ inputResponses }) => (inputResponses.user_name === undefined ? asking({ user_name: nameForm }, 'asked') : undefined),
    },
  ),
];
