import assert from 'node:assert/strict';
import { isDeepStrictEqual } from 'node:util';
import type { TestAccess } from '../../../src/app/app.ts';
import type { PersonAnswer, Question } from '../../../src/contract/questions/questions.ts';
import type { ShownAct } from '../../../src/contract/questions/clientQuestions.ts';
import { writeFile } from './actingCalls.ts';
import { answerNext, until } from './duplex.ts';
import { LookingClient } from './mcpClient.ts';

export interface Stop {
  readonly sessionId: string;
  readonly state: 'running' | 'stopped' | 'ended';
  readonly reason: string;
  readonly exception?: string;
  readonly path?: string;
  readonly line?: number;
  readonly lines?: string;
  readonly stack: readonly { readonly name: string; readonly path?: string; readonly line?: number }[];
  readonly changed: readonly { readonly name: string; readonly type?: string; readonly value?: string }[];
  readonly output: string;
  readonly exitCode?: number;
}

export interface Listed {
  readonly configurations: readonly { readonly name: string; readonly type: string }[];
  readonly sessions: readonly { readonly id: string; readonly name: string; readonly state: string; readonly isYours: boolean }[];
  readonly breakpoints: readonly {
    readonly path: string;
    readonly line: number;
    readonly isVerified: boolean;
    readonly isYours: boolean;
  }[];
}

/** An outside program that debugs, and the person who answers what it is asked about. */
export class DebuggingClient {
  readonly client: LookingClient;
  readonly #access: TestAccess;

  private constructor(client: LookingClient, access: TestAccess) {
    this.client = client;
    this.#access = access;
  }

  static async connect(access: TestAccess): Promise<DebuggingClient> {
    return new DebuggingClient(await LookingClient.connect(access, 'runner'), access);
  }

  /** A call that nobody is asked about. */
  async call<T = Record<string, unknown>>(name: string, args: Record<string, unknown> = {}): Promise<T> {
    const answer = await this.client.call(name, args);
    assert.deepEqual(this.#access.questions.list(), [], 'nobody is asked');
    return answer as T;
  }

  async stop(name: string, args: Record<string, unknown> = {}): Promise<Stop> {
    return (await this.call<{ stop: Stop }>(name, args)).stop;
  }

  /** A call that the person is asked about, and what they saw. */
  async asked(
    name: string,
    args: Record<string, unknown>,
    choice: PersonAnswer['choice'] = 'allowOnce',
  ): Promise<{ readonly what: ShownAct; readonly question: Question; readonly answer: Record<string, unknown>; readonly failure: string }> {
    const calling = this.client.result(name, args);
    const question = await answerNext(this.#access, 'clientAct', choice);
    const { structuredContent = {}, isError, content } = await calling;
    assert.ok(question.detail.kind === 'clientAct');
    const failure = isError ? content.map(({ text = '' }) => text).join('') : '';
    return { what: question.detail.what as ShownAct, question, answer: structuredContent, failure };
  }

  /** Starts a configuration; the person allows it once. */
  async start(configuration: string, waitMs = 20_000): Promise<Stop> {
    const { answer, failure } = await this.asked('start_debugging', { configuration, waitMs });
    assert.equal(failure, '');
    return answer['stop'] as Stop;
  }

  listed(): Promise<Listed> {
    return this.call<Listed>('list_debug');
  }
}

/** Writes scripts for the scripted debugger, and a configuration of the same name for each. */
export async function writeScripts(
  client: DebuggingClient,
  scripts: Readonly<Record<string, string>>,
  more: readonly object[] = [],
): Promise<void> {
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(`debug/${name}.scripted`, text);
  }
  const configurations = [
    ...Object.keys(scripts).map((name) => ({
      name,
      type: 'scripted',
      request: 'launch',
      program: `\${workspaceFolder}/debug/${name}.scripted`,
    })),
    ...more,
  ];
  await writeFile('.vscode/launch.json', JSON.stringify({ version: '0.2.0', configurations }));
  // These and no others: what was there before may have the same names, and what runs is looked up once more after the question.
  const wanted = configurations.map((each) => ('name' in each ? String(each.name) : '')).sort();
  await until('the configurations', async () => {
    const known = (await client.listed()).configurations.map(({ name }) => name).sort();
    return isDeepStrictEqual(known, wanted) ? true : undefined;
  });
}
