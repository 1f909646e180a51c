import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { TestAccess } from '../../../src/app/app.ts';
import type { ToolResult } from './actingCalls.ts';
import { discovery, until } from './duplex.ts';

const longWaitMs = 60_000;

interface ContentBlock {
  readonly type: string;
  readonly text?: string;
  readonly data?: string;
  readonly mimeType?: string;
}

/** An outside program that the person has let in, to look or to edit. */
export class LookingClient {
  readonly updates: string[] = [];
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
      this.updates.push(params.uri);
    });
  }

  static async connect(access: TestAccess, role: 'reader' | 'editor' | 'runner' = 'reader'): Promise<LookingClient> {
    const { urls, token } = await discovery();
    const client = new Client({ name: 'documents-test', version: '1.0.0' });
    const headers = { authorization: `Bearer ${token}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(urls.mcp), { requestInit: { headers } }));
    const looking = new LookingClient(client);
    const first = looking.call('list_workspace_folders');
    const question = await until('the connect question', () =>
      access.questions.list().find(({ detail }) => detail.kind === 'connectClient'),
    );
    assert.equal(access.questions.answer({ askId: question.askId, choice: 'allowSession', role }), true);
    await first;
    return looking;
  }

  /** A call that waits for the person as long as they take, with whatever comes of it. */
  result(name: string, args: Record<string, unknown>): Promise<ToolResult> {
    const result = this.#client.callTool({ name, arguments: args }, { timeout: longWaitMs, onprogress: () => undefined });
    result.catch(() => undefined); // looked at later
    return result.then(({ isError = false, ...answer }) => ({ isError, ...answer })) as Promise<ToolResult>;
  }

  async call(name: string, args: Record<string, unknown> = {}): Promise<Record<string, unknown>> {
    return (await this.answer(name, args)).structure;
  }

  /** What a model reads, and what a program reads. */
  async answer(name: string, args: Record<string, unknown> = {}): Promise<{ text: string; structure: Record<string, unknown> }> {
    const { structuredContent, isError, content } = await this.#client.callTool({ name, arguments: args });
    assert.notEqual(isError, true, `${name}: ${JSON.stringify(content)}`);
    const [first] = content;
    return { text: first?.type === 'text' ? first.text : '', structure: structuredContent as Record<string, unknown> };
  }

  /** What a model gets to see. */
  async content(name: string, args: Record<string, unknown> = {}): Promise<readonly ContentBlock[]> {
    const { isError, content } = await this.#client.callTool({ name, arguments: args });
    assert.notEqual(isError, true, `${name}: ${JSON.stringify(content)}`);
    return content as readonly ContentBlock[];
  }

  async failure(name: string, args: Record<string, unknown>): Promise<string> {
    const { isError, content } = await this.#client.callTool({ name, arguments: args });
    assert.equal(isError, true, `${name} ${JSON.stringify(args)}`);
    const [first] = content;
    return first?.type === 'text' ? first.text : '';
  }

  async readText(uri: string): Promise<string> {
    const { contents } = await this.#client.readResource({ uri });
    const [first] = contents;
    return first !== undefined && 'text' in first ? first.text : '';
  }

  async readJson(uri: string): Promise<Record<string, unknown>> {
    return JSON.parse(await this.readText(uri)) as Record<string, unknown>;
  }

  async listUris(): Promise<string[]> {
    return (await this.#client.listResources()).resources.map(({ uri }) => uri);
  }

  /** All there is: on a busy machine the time for suggestions may be over before everything was looked at, which `hasMore` says. */
  async complete(uri: string, value: string): Promise<string[]> {
    return until(`all that begins with ${value}`, async () => {
      const params = { ref: { type: 'ref/resource', uri }, argument: { name: 'path', value } } as const;
      const { values, hasMore } = (await this.#client.complete(params)).completion;
      return hasMore === true ? undefined : values;
    });
  }

  async subscribe(uri: string): Promise<void> {
    await this.#client.subscribeResource({ uri });
  }

  /** Subscribes, does something and waits until that was told. */
  async toldAfter(uri: string, change: () => Promise<unknown>): Promise<void> {
    await this.#client.subscribeResource({ uri });
    this.updates.length = 0;
    await change();
    await until(`an update of ${uri}`, () => (this.updates.includes(uri) ? true : undefined));
    await this.#client.unsubscribeResource({ uri });
  }

  close(): Promise<void> {
    return this.#client.close();
  }

  /** Ends the session, so that the editor knows that the program is gone. */
  async end(): Promise<void> {
    await (this.#client.transport as StreamableHTTPClientTransport).terminateSession();
    await this.#client.close();
  }
}
