import assert from 'node:assert/strict';
import { Client, StreamableHTTPClientTransport, type Tool } from '@modelcontextprotocol/client';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/client/validators/ajv';
import type { Workbench } from '../harness/workbench.ts';
import { permissionQuestion } from './consentPanel.ts';
import { readDiscovery } from './discovery.ts';
import { EditReview } from './editReview.ts';
import { allow } from './questions.ts';

const patient = { timeout: 120_000, onprogress: () => undefined, resetTimeoutOnProgress: true };

/** A program outside the editor that knows what it wants to say, and of the editor only what `tools/list` told it. */
export class ScriptedAgent {
  readonly #client: Client;
  readonly #tools: ReadonlyMap<string, Tool>;
  readonly #validator = new AjvJsonSchemaValidator();
  readonly #beganAt = performance.now();
  #calls = 0;
  #characters = 0;

  private constructor(client: Client, tools: readonly Tool[]) {
    this.#client = client;
    this.#tools = new Map(tools.map((tool) => [tool.name, tool]));
  }

  static async connect(workbench: Workbench, name: string): Promise<ScriptedAgent> {
    const { token, urls } = await readDiscovery(workbench.folders.home);
    const client = new Client({ name, version: '1.0.0' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(urls.mcp), { requestInit }));
    return new ScriptedAgent(client, (await client.listTools()).tools);
  }

  /** What the work has cost so far: calls, characters that a model would have read, seconds. */
  get cost(): { readonly calls: number; readonly characters: number; readonly seconds: number } {
    return { calls: this.#calls, characters: this.#characters, seconds: Math.round((performance.now() - this.#beganAt) / 1000) };
  }

  /** The facts are what the tool's own schema takes, or the agent could not have known. */
  async use<T>(name: string, facts: Readonly<Record<string, unknown>> = {}): Promise<T> {
    const tool = this.#tools.get(name);
    assert.ok(tool, `tools/list names no ${name}`);
    const { valid, errorMessage } = this.#validator.getValidator(tool.inputSchema as object)(facts);
    assert.ok(valid, `${name} takes no ${JSON.stringify(facts)}: ${errorMessage}`);
    const result = await this.#client.callTool({ name, arguments: { ...facts } }, patient);
    assert.notEqual(result.isError, true, JSON.stringify(result.content));
    this.#calls += 1;
    this.#characters += result.content.reduce((sum, item) => sum + (item.type === 'text' ? item.text.length : 0), 0);
    return result.structuredContent as T;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}

/** The person in front of the editor. Nobody else answers, and every answer is written down. */
export class DecidingPerson {
  readonly decisions: string[] = [];
  readonly #workbench: () => Workbench;

  constructor(workbench: () => Workbench) {
    this.#workbench = workbench;
  }

  async letIn(agent: string): Promise<void> {
    const question = await permissionQuestion(this.#workbench(), new RegExp(`^Permission:.*${agent}.*see this editor`));
    await question.getByRole('radio', { name: 'Runner' }).check();
    await allow(question, 'Allow for this session');
    this.decisions.push('connect as Runner');
  }

  async allowRun(commandLine: RegExp): Promise<void> {
    const question = await permissionQuestion(this.#workbench(), new RegExp(`^Permission:.*run “${commandLine.source}`));
    await allow(question, 'Allow for this session');
    this.decisions.push('run for this session');
  }

  async acceptAll(files: number): Promise<void> {
    const review = new EditReview(this.#workbench());
    const button = review.button(files === 1 ? 'Accept and save' : 'Accept all and save').first();
    await button.waitFor({ timeout: 60_000 });
    await (files === 1 ? button.click() : review.acceptAll(button, files));
    this.decisions.push('accept all and save');
  }
}
