/** Clients in a process of their own: `subscriberClient.js JSON` subscribes to the diagnostics, says so, and stays until it is ended. */
import { WebSocket } from 'ws';
import { initialize } from './httpPost.ts';

export interface SubscriberOrder {
  readonly wsUrl: string;
  readonly token: string;
  readonly clients: number;
}

const { wsUrl, token, clients } = JSON.parse(process.argv[2] ?? '') as SubscriberOrder;
const subscribe = { jsonrpc: '2.0', id: 2, method: 'resources/subscribe', params: { uri: 'diagnostics://workspace' } };

function join(): Promise<void> {
  const socket = new WebSocket(wsUrl, { headers: { authorization: `Bearer ${token}` } });
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => socket.send(initialize(1)));
    socket.on('message', (data: Buffer) => {
      const { id } = JSON.parse(data.toString()) as { id?: number };
      if (id === 1) {
        socket.send(JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }));
        socket.send(JSON.stringify(subscribe));
      } else if (id === subscribe.id) {
        resolve();
      }
    });
  });
}

await Promise.all(Array.from({ length: clients }, join));
process.stdout.write('subscribed\n');
