import type { Client, specTypeSchemas } from '@modelcontextprotocol/client';
import type { ToolInfo } from './serverState.ts';

export type { Client, JSONRPCMessage, Transport, TransportSendOptions } from '@modelcontextprotocol/client';

type ClientOptions = NonNullable<ConstructorParameters<typeof Client>[1]>;
/** The SDK's schemas of every part of the protocol, by name. */
export type Schemas = typeof specTypeSchemas;
export type VersionNegotiation = NonNullable<ClientOptions['versionNegotiation']>;

/**
 * Accepts every value. Schemas written by servers are never compiled in this thread, where a slow one would block the
 * editor: see `SchemaChecker`.
 */
const jsonSchemaValidator: NonNullable<ClientOptions['jsonSchemaValidator']> = {
  getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
};

/** Loads the SDK, which is large, when the first server starts. */
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

/**
 * The tool's definition that the SDK needs for a call: it says which arguments are also sent as headers. The output schema
 * is left out, because it is checked elsewhere.
 */
export function definitionOf(tool: ToolInfo): Definition {
  let definition = definitions.get(tool);
  if (definition === undefined) {
    definition = { name: tool.name, inputSchema: { ...tool.inputSchema, type: 'object' as const } };
    definitions.set(tool, definition);
  }
  return definition;
}
