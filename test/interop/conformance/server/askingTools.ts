import { isJsonObject, type JsonObject } from '../../../../src/base/json.ts';
import type { CallContext, InputRequest, Tool, ToolOutcome } from '../../../../src/server/offer/catalog/catalog.ts';
import { answer, asking, fixtureTool, form, sample, strings, text, words } from './fixtureTool.ts';

const nameForm = form('What is your name?', { name: { type: 'string' } });

/** Asks once; the answer is told in the words of `tell`. */
function askingOnce(
  name: string,
  key: string,
  request: (args: JsonObject) => InputRequest,
  tell: (response: JsonObject) => string,
  more: { readonly state?: string; readonly inputSchema?: JsonObject } = {},
): Tool {
  const run = (args: JsonObject, { inputResponses }: CallContext): ToolOutcome => {
    const response = inputResponses[key];
    return response === undefined ? asking({ [key]: request(args) }, more.state) : text(tell(response));
  };
  return fixtureTool(name, `Asks the client for ${key}`, run, more.inputSchema === undefined ? {} : { inputSchema: more.inputSchema });
}

const filledIn = (response: JsonObject): string => `action=${words(response.action)}, content=${JSON.stringify(response.content ?? {})}`;
const sampled = (response: JsonObject): string => (isJsonObject(response.content) ? words(response.content.text) : 'no response');

const defaults: JsonObject = {
  name: { type: 'string', description: 'User name', default: 'John Doe' },
  age: { type: 'integer', description: 'User age', default: 30 },
  score: { type: 'number', description: 'User score', default: 95.5 },
  status: { type: 'string', description: 'User status', enum: ['active', 'inactive', 'pending'], default: 'active' },
  verified: { type: 'boolean', description: 'Verification status', default: true },
};

const titled = (kind: string): JsonObject[] =>
  ['First', 'Second', 'Third'].map((nth, index) => ({ const: `value${index + 1}`, title: `${nth} ${kind}` }));

const enums: JsonObject = {
  untitledSingle: { type: 'string', enum: ['option1', 'option2', 'option3'] },
  titledSingle: { type: 'string', oneOf: titled('Option') },
  legacyEnum: { type: 'string', enum: ['opt1', 'opt2', 'opt3'], enumNames: ['Option One', 'Option Two', 'Option Three'] },
  untitledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { type: 'string', enum: ['option1', 'option2', 'option3'] } },
  titledMulti: { type: 'array', minItems: 1, maxItems: 3, items: { anyOf: titled('Choice') } },
};

/** Tools that need something of the client. */
export const askingTools: readonly Tool[] = [
  askingOnce(
    'test_sampling',
    'answer',
    ({ prompt }) => sample(words(prompt)),
    (response) => `LLM response: ${sampled(response)}`,
    {
      inputSchema: strings('prompt'),
    },
  ),
  askingOnce(
    'test_elicitation',
    'answer',
    ({ message }) => form(words(message), { username: { type: 'string' }, email: { type: 'string' } }),
    (response) => `User response: ${filledIn(response)}`,
    { inputSchema: strings('message') },
  ),
  askingOnce(
    'test_elicitation_sep1034_defaults',
    'answer',
    () => form('Please review the form', defaults, []),
    (response) => `Elicitation completed: ${filledIn(response)}`,
  ),
  askingOnce(
    'test_elicitation_sep1330_enums',
    'answer',
    () => form('Please select options', enums, []),
    (response) => `Elicitation completed: ${filledIn(response)}`,
  ),
  askingOnce('test_missing_capability', 'answer', () => sample('hello'), sampled),
  askingOnce('test_streaming_elicitation', 'answer', () => nameForm, filledIn),
  askingOnce(
    'test_input_required_result_elicitation',
    'user_name',
    () => nameForm,
    (response) => `Hello, ${words(answer(response, 'name'))}!`,
  ),
  askingOnce('test_input_required_result_sampling', 'sample_request', () => sample('What is the capital of France?'), sampled),
  askingOnce(
    'test_input_required_result_list_roots',
    'roots_request',
    () => ({ method: 'roots/list', params: {} }),
    ({ roots }) => `Found ${Array.isArray(roots) ? roots.length : 0} root(s)`,
  ),
  fixtureTool('test_input_required_result_request_state', 'Asks, and finds its state again', (_args, { inputResponses, requestState }) =>
    requestState === 'kept' && inputResponses.confirm !== undefined
      ? text('state-ok: requestState validated')
      : asking({ confirm: form('Please confirm', { ok: { type: 'boolean' } }) }, 'kept'),
  ),
  fixtureTool('test_input_required_result_tampered_state', 'Asks, with a state nobody may change', (_args, { requestState }) =>
    requestState === 'signed' ? text('accepted') : asking({ confirm: form('Please confirm', { ok: { type: 'boolean' } }) }, 'signed'),
  ),
  fixtureTool('test_input_required_result_multiple_inputs', 'Asks for three things', (_args, { inputResponses, requestState }) => {
    const { user_name: user, greeting, client_roots: roots } = inputResponses;
    return requestState === 'all' && user !== undefined && greeting !== undefined && roots !== undefined
      ? text(`Name: ${words(answer(user, 'name'))}; Greeting: ${sampled(greeting)}`)
      : asking({ user_name: nameForm, greeting: sample('Greet'), client_roots: { method: 'roots/list', params: {} } }, 'all');
  }),
  fixtureTool('test_input_required_result_multi_round', 'Asks twice', (_args, { inputResponses, requestState }) => {
    if (requestState === 'second' && inputResponses.step2 !== undefined) {
      return text(`Done: ${words(answer(inputResponses.step2, 'color'))}`);
    }
    return requestState === 'first' && inputResponses.step1 !== undefined
      ? asking({ step2: form('What is your favorite color?', { color: { type: 'string' } }) }, 'second')
      : asking({ step1: nameForm }, 'first');
  }),
  fixtureTool('test_input_required_result_capabilities', 'Asks only what the client can do', (_args, { clientCapabilities }) =>
    asking({
      ...(isJsonObject(clientCapabilities.elicitation) && { user_name: nameForm }),
      ...(isJsonObject(clientCapabilities.sampling) && { sample_request: sample('hello') }),
    }),
  ),
];
