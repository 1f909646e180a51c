import type { JsonObject } from './json.ts';

/**
 * A pipe for JSON-RPC messages, in the shape of the official SDK's transports but without importing the SDK: rooms that only
 * pass a pipe on, such as the chat's link to the editor's own server, depend on this alone.
 */
export interface MessageTransport {
  start(): Promise<void>;
  send(message: JsonObject): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: ((message: JsonObject) => void) | undefined;
}
