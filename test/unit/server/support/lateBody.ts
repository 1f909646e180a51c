import { request, type OutgoingHttpHeaders } from 'node:http';

/** Sends the body, and resolves with the status of the answer; `undefined` when there is none. */
export type LateBody = (body: string) => Promise<number | undefined>;

/** Sends the head of a POST alone. It resolves once the server has taken the head and waits for the body. */
export function postHead(port: number, path: string, headers: OutgoingHttpHeaders): Promise<LateBody> {
  return new Promise((resolve, reject) => {
    const outgoing = request({
      host: '127.0.0.1',
      port,
      method: 'POST',
      path,
      headers: { ...headers, expect: '100-continue' },
      agent: false,
    });
    const status = new Promise<number | undefined>((answered) => {
      outgoing.on('response', (response) => answered(response.resume().statusCode));
      outgoing.on('error', () => answered(undefined));
    });
    outgoing.on('error', reject).on('response', () => reject(new Error('The server did not wait for the body.')));
    outgoing.on('continue', () =>
      resolve((body) => {
        outgoing.end(body);
        return status;
      }),
    );
  });
}
