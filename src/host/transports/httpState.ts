import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { AppError } from '../../base/errors.ts';
import type { Transport } from '../shared/sdk.ts';

/** Of type `auto`, before a message was accepted: the server may turn out to speak only HTTP+SSE. */
export interface Probing {
  readonly kind: 'probing';
  readonly streamable: StreamableHTTPClientTransport;
}

/** Where a transport over HTTP stands, and which of the SDK's transports it has there. */
export type HttpState =
  | { readonly kind: 'idle' }
  | Probing
  | { readonly kind: 'fallingBack'; readonly streamable: StreamableHTTPClientTransport; readonly sse: Transport }
  | { readonly kind: 'streamable'; readonly streamable: StreamableHTTPClientTransport }
  | { readonly kind: 'sse'; readonly sse: Transport }
  /** From the moment it is asked for, or the server is lost; `done` when everything is let go. */
  | { readonly kind: 'closed'; readonly end: AppError | undefined; readonly done: Promise<void> };

export function streamableOf(state: HttpState): StreamableHTTPClientTransport | undefined {
  return state.kind === 'probing' || state.kind === 'streamable' ? state.streamable : undefined;
}

/** The transport of the SDK's that carries messages. */
export function innerOf(state: HttpState): Transport | undefined {
  switch (state.kind) {
    case 'idle':
    case 'closed':
      return undefined;
    case 'probing':
    case 'streamable':
      return state.streamable;
    case 'fallingBack':
    case 'sse':
      return state.sse;
  }
}
