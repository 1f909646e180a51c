import type { Client } from '@modelcontextprotocol/client';
import { hasCode, isAppError, messageOf, type AppError } from '../../base/errors.ts';
import { revealInvisible } from '../../base/visibleText.ts';
import { hostError, timeoutError } from './hostErrors.ts';
import type { ToolInfo } from './serverState.ts';
import type { Schemas } from './legacyResults.ts';
import { answerLost, refusalOf, statusFailure, statusOf } from './remoteFailure.ts';

export type { Client, JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';

type ClientOptions = NonNullable<ConstructorParameters<typeof Client>[1]>;
export type VersionNegotiation = NonNullable<ClientOptions['versionNegotiation']>;

/** Schemas of servers are never compiled here, where a slow one would hold up the editor: see `SchemaChecks`. */
const jsonSchemaValidator: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** The SDK is large: it is loaded when the first server starts, not when the editor does. */
export async function createClient(version: string, versionNegotiation: VersionNegotiation): Promise<CreatedClient> {
  const { Client: SdkClient, specTypeSchemas } = await import('@modelcontextprotocol/client');
  const options = { capabilities: {}, versionNegotiation, jsonSchemaValidator };
  return {
    client: new SdkClient({ name: 'duplex', title: 'Duplex', version }, options),
    schemas: specTypeSchemas,
  };
}

export interface CreatedClient {
  readonly client: Client;
  readonly schemas: Schemas;
}

type Definition = NonNullable<NonNullable<Parameters<Client['callTool']>[1]>['toolDefinition']>;

const definitions = new WeakMap<ToolInfo, Definition>();

/** For a call: without its output schema, which is checked elsewhere; it says which arguments are sent as headers as well. */
export function definitionOf(tool: ToolInfo): Definition {
  let definition = definitions.get(tool);
  if (definition === undefined) {
    definition = { name: tool.name, inputSchema: { ...tool.inputSchema, type: 'object' as const } };
    definitions.set(tool, definition);
  }
  return definition;
}

const maxServerMessageLength = 4_000;

/** The SDK's errors in our words. Compared by code: bundles carry separate copies of the SDK's classes. */
export function fromSdkError(error: unknown, detail: string | undefined, timeoutMs: number): AppError {
  if (isAppError(error)) {
    return error;
  }
  const more = detail === undefined || detail === '' ? {} : { detail };
  if (hasCode(error, 'REQUEST_TIMEOUT')) {
    return timeoutError(timeoutMs, more);
  }
  if (hasCode(error, 'CONNECTION_CLOSED') || hasCode(error, 'NOT_CONNECTED') || hasCode(error, 'SEND_FAILED')) {
    return hostError('host.connectionClosed', {}, more);
  }
  const status = statusOf(error);
  if (status !== undefined) {
    return statusFailure(status, refusalOf(error));
  }
  const reason = revealInvisible(messageOf(error)).slice(0, maxServerMessageLength);
  if (error instanceof Error && error.message === answerLost) {
    return hostError('host.answerLost', {}, more);
  }
  // A greeting answered with a revision nobody knows ends in a plain error of the SDK.
  if (hasCode(error, 'ERA_NEGOTIATION_FAILED') || reason.startsWith("Server's protocol version is not supported")) {
    return hostError('host.negotiationFailed', { reason }, more);
  }
  if (hasCode(error, 'INVALID_RESULT') || hasCode(error, 'CLIENT_HTTP_UNEXPECTED_CONTENT')) {
    return hostError('host.invalidAnswer', { reason }, more);
  }
  if (typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number') {
    return hostError('host.serverError', { reason, code: error.code }, more);
  }
  return hostError('host.unexpected', { reason }, { cause: error, ...more });
}
