import * as http from 'node:http';

export const protocolVersion = '2025-11-25';
export const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });

export interface Answer {
  readonly status: number;
  readonly headers: http.IncomingHttpHeaders;
  readonly body: string;
}

/** As cheap as a client can be: what is measured is the server. */
export function post(url: string, token: string, body: string, headers: Record<string, string> = {}, method = 'POST'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = http.request(
      url,
      {
        agent,
        method,
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          accept: 'application/json, text/event-stream',
          authorization: `Bearer ${token}`,
          ...headers,
        },
      },
      (incoming) => {
        let text = '';
        incoming.setEncoding('utf8');
        incoming.on('data', (chunk: string) => (text += chunk));
        incoming.on('error', reject); // the connection was cut in the middle of the answer
        incoming.on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: text }));
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

export function check(answer: Answer, expected: number): void {
  if (answer.status !== expected) {
    throw new Error(`Status ${answer.status} instead of ${expected}: ${answer.body.slice(0, 300)}`);
  }
}

export function initialize(id: number): string {
  const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'bench', version: '1.0.0' } };
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'initialize', params });
}

/** Opens a session; gives the headers of every further request. */
export async function openSession(url: string, token: string): Promise<Record<string, string>> {
  const opened = await post(url, token, initialize(1));
  check(opened, 200);
  const headers = { 'mcp-session-id': String(opened.headers['mcp-session-id']), 'mcp-protocol-version': protocolVersion };
  check(await post(url, token, JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }), headers), 202);
  return headers;
}
