import type WebSocket from 'ws';
import type { AppError } from '../../base/errors.ts';
import { hostError } from '../shared/hostErrors.ts';
import { networkFailure, statusFailure } from '../shared/remoteFailure.ts';

const closeMs = 1_000;

/** How the opening handshake ended. */
export type Opening =
  | { readonly kind: 'open' }
  | { readonly kind: 'unauthorized'; readonly failure: AppError }
  | { readonly kind: 'failed'; readonly failure: AppError };

/**
 * Waits until a new socket is open, or closed again; never rejects. `onOpen` is called at the very moment: somebody who
 * only awaits the outcome could miss a first message.
 */
export function whenOpened(socket: WebSocket, origin: string, onOpen: () => void): Promise<Opening> {
  let kind: 'unauthorized' | 'failed' = 'failed';
  let failure: AppError | undefined;
  return new Promise((resolve) => {
    const onError = (error: Error): void => {
      failure ??= networkFailure(origin, error);
    };
    const onClose = (code: number): void => resolve({ kind, failure: failure ?? closedWith(code) });
    socket.on('error', onError);
    socket.once('close', onClose);
    socket.once('unexpected-response', (request, response) => {
      const status = response.statusCode ?? 0;
      kind = status === 401 ? 'unauthorized' : 'failed';
      failure ??= statusFailure(status, '', origin);
      response.destroy();
      request.destroy();
      socket.terminate();
    });
    socket.once('open', () => {
      socket.off('error', onError);
      socket.off('close', onClose);
      onOpen();
      resolve({ kind: 'open' });
    });
  });
}

/** The server closed the socket, with this code. */
export function closedWith(code: number): AppError {
  return hostError('host.closedByServer', { code });
}

export function whenClosed(socket: WebSocket): Promise<void> {
  return new Promise((resolve) => {
    if (socket.readyState === socket.CLOSED) {
      resolve();
    } else {
      socket.once('close', () => resolve());
    }
  });
}

/** Says goodbye and waits briefly for the other side to do so too; a socket that is not open yet is given up. */
export async function closeSocket(socket: WebSocket): Promise<void> {
  const closed = whenClosed(socket);
  const timer = setTimeout(() => socket.terminate(), closeMs);
  if (socket.readyState === socket.CONNECTING) {
    socket.terminate();
  } else {
    socket.close(1000);
  }
  await closed;
  clearTimeout(timer);
}
