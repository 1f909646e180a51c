import { Client, StreamableHTTPClientTransport, type FetchLike } from '@modelcontextprotocol/client';
import type { DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';

/** A client over Streamable HTTP with the window's token. */
export async function connectOutside(window: DiscoveryFile, name: string, fetch?: FetchLike): Promise<Client> {
  const client = new Client({ name, version: '1.0.0' });
  const headers = { authorization: `Bearer ${window.token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(window.urls.mcp), { requestInit: { headers }, ...(fetch && { fetch }) }));
  return client;
}
