/** Requests that a person can make by hand, and so can make again. */
export function isRepeatable(method: string): boolean {
  return method === 'tools/call' || method === 'resources/read' || method === 'prompts/get';
}
