import { isJsonObject, type JsonObject } from '../base/json.ts';

/** What kind of message it is, and its id, method and subject. */
export type MessageFacts =
  | { readonly kind: 'request'; readonly id: string; readonly method: string; readonly subject: string }
  | { readonly kind: 'notification'; readonly method: string; readonly subject: string }
  | { readonly kind: 'answer'; readonly id: string; readonly isError: boolean }
  | { readonly kind: 'unreadable' };

/** What a message is about, its method and subject as they stand in it: they are cut once their secrets are masked. */
export function messageFactsOf(message: unknown): MessageFacts {
  if (!isJsonObject(message)) {
    return { kind: 'unreadable' };
  }
  const { id, method, params } = message;
  const hasId = typeof id === 'string' || typeof id === 'number';
  if (typeof method === 'string') {
    const about = { method, subject: subjectOf(params) };
    return hasId ? { kind: 'request', id: keyOf(id), ...about } : { kind: 'notification', ...about };
  }
  if ((hasId || id === null) && (message['result'] !== undefined || message['error'] !== undefined)) {
    return { kind: 'answer', id: hasId ? keyOf(id) : '', isError: isFailure(message) };
  }
  return { kind: 'unreadable' };
}

/** The facts of a text that is too long to be parsed. Our own answers have their id at the beginning. */
export function factsOfStart(text: string): MessageFacts {
  const [, id = '', part] = /^\{"jsonrpc":"2\.0","id":("[^"\\]{0,200}"|-?\d{1,20}),"(result|error)"/.exec(text.slice(0, 400)) ?? [];
  return part === undefined ? { kind: 'unreadable' } : { kind: 'answer', id, isError: part === 'error' };
}

/** The key of an id: `1` and `"1"` are two ids. */
function keyOf(id: string | number): string {
  return JSON.stringify(id).slice(0, 300);
}

/** What the request is about: a tool, a prompt, a resource, a task. */
function subjectOf(params: unknown): string {
  if (!isJsonObject(params)) {
    return '';
  }
  const { ref } = params;
  const named = [params['name'], params['uri'], params['taskId'], isJsonObject(ref) ? (ref['name'] ?? ref['uri']) : undefined];
  const subject = named.find((each) => typeof each === 'string');
  return typeof subject === 'string' ? subject : '';
}

/** Whether an answer is a failure; a tool says so in its result. */
function isFailure({ error, result }: JsonObject): boolean {
  return error !== undefined || (isJsonObject(result) && result['isError'] === true);
}

/** Whether a request is one that a person can make by hand, and so can repeat. */
export function isRepeatable(method: string): boolean {
  return method === 'tools/call' || method === 'resources/read' || method === 'prompts/get';
}
