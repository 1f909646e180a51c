import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { messageOf } from '../../src/base/errors.ts';
import { silentLog } from '../../src/base/log.ts';
import { ChatBudget } from '../../src/chat/budget/chatBudget.ts';
import type { ChatContent } from '../../src/chat/content/hostPorts.ts';
import type { SkillFile } from '../../src/chat/content/skills.ts';
import { WorkspaceSkills } from '../../src/chat/content/workspaceSkills.ts';
import type { ModelEvent } from '../../src/chat/models/modelProvider.ts';
import { fingerprintOf } from '../../src/consent/fingerprint.ts';
import type { Choice, Question } from '../../src/contract/questions/questions.ts';
import { ContentReader } from '../../src/host/resources/contentReader.ts';
import { readSkillFiles } from '../../src/platform/files/skillFiles.ts';
import { secretPlaces } from '../../src/secrets/redactSecrets.ts';
import { createTemporaryFolder } from '../support/run/temporaryFolder.mjs';
import { ResultsInMemory } from '../unit/chat/budget/resultsInMemory.ts';
import { echoCall, FakeProvider, FakeTools, makeChat } from '../unit/chat/support.ts';
import { createTestHost, repositoryRoot, type TestHost } from '../unit/host/support.ts';

const program = path.join(repositoryRoot, 'test/fixtures/servers/skillsServer.mjs');
const skillText = (name: string, more = ''): string =>
  `---\nname: ${name}\ndescription: How to ${name}.\nallowed-tools: run_terminal_command\n---\n\n# ${name}\n${more}`;

/** A file as the editor gives it; the real one reads bytes in the same way. */
const toFile = (name: string, bytes: Uint8Array): SkillFile => {
  const text = Buffer.from(bytes).toString();
  return { path: name, digest: fingerprintOf({ text }), bytes: bytes.length, content: { text } };
};

/** A chat with skills of real servers and of a real folder, whose model says what it is told to. */
class SkilledChat {
  readonly asked: Question[] = [];
  readonly texts = new Map<string, string>();
  answer: (question: Question) => Choice = () => 'allowOnce';
  isTrusted = true;
  /** The tools that the model was told of in the last request. */
  told = '';
  readonly #host: TestHost;
  readonly #workspace: string;
  readonly #workspaceSkills: WorkspaceSkills;

  constructor(host: TestHost, workspace: string) {
    this.#host = host;
    this.#workspace = workspace;
    this.#workspaceSkills = new WorkspaceSkills({
      folders: { isTrusted: () => this.isTrusted, read: () => this.#folders() },
      workspace,
      log: silentLog,
    });
  }

  /** Lets the model load skills one after the other in one answer; gives back what it got. */
  async load(...calls: readonly Record<string, string>[]): Promise<readonly string[]> {
    const rounds = calls.map((input, index): readonly ModelEvent[] => [
      { kind: 'toolUse', id: `load${index}`, name: 'load_skill', input },
      { kind: 'stop', reason: 'toolUse' },
    ]);
    const provider = new FakeProvider(rounds);
    const tools = new FakeTools([], echoCall);
    const budget = this.#budget(tools);
    const chat = makeChat(provider, tools, { budget, content: this.#content() });
    const answering = chat.session.onMessage(() => {
      for (const question of chat.session.questions.list()) {
        if (!this.asked.some(({ askId }) => askId === question.askId)) {
          this.asked.push(question);
          setImmediate(() => chat.session.answer({ askId: question.askId, choice: this.answer(question) }));
        }
      }
    });
    await chat.session.send('Do it');
    this.told = JSON.stringify(provider.requests.at(-1)?.tools ?? []);
    const results = (provider.requests.at(-1)?.messages ?? []).flatMap(({ content }) =>
      content.filter((block) => block.type === 'toolResult'),
    );
    answering.dispose();
    chat.dispose();
    budget.dispose();
    return results.map((block) => JSON.stringify(block));
  }

  get sent(): readonly Question[] {
    return this.asked.filter(({ detail }) => detail.kind === 'sendContent');
  }

  async #folders(): Promise<Awaited<ReturnType<ConstructorParameters<typeof WorkspaceSkills>[0]['folders']['read']>>> {
    const skills = await readSkillFiles({ root: this.#workspace, isShown: () => true, onLeftOut: () => undefined });
    return skills.map((skill) => ({
      ...skill,
      uri: `file://${this.#workspace}/${skill.path}`,
      files: skill.files.map((file) => toFile(file.path, file.bytes)),
    }));
  }

  #budget(tools: FakeTools): ChatBudget {
    const { registry } = this.#host;
    const reader = new ContentReader(registry);
    return new ChatBudget({
      tools,
      results: new ResultsInMemory(),
      choice: { read: () => undefined, write: () => Promise.resolve() },
      skills: {
        servers: {
          list: () =>
            registry.servers().flatMap(({ id, label, skills }) => skills.map((skill) => ({ ...skill, serverId: id, server: label }))),
          read: async ({ serverId, uri }, decidedBy, signal) => {
            try {
              const files = await reader.readSkill({
                kind: 'resource',
                principal: 'chat',
                serverId,
                uri,
                recordedAs: uri,
                decidedBy,
                signal,
              });
              return { kind: 'given', files: files.map((file) => toFile(file.path, file.bytes)) };
            } catch (error) {
              return { kind: 'failed', sentence: messageOf(error) };
            }
          },
        },
        allowed: { get: (key) => this.texts.get(key), set: (key, text) => void this.texts.set(key, text) },
        workspace: this.#workspaceSkills,
      },
    });
  }

  #content(): ChatContent {
    const reader = new ContentReader(this.#host.registry);
    return {
      gate: this.#host.gate,
      offers: () => Promise.resolve({ resources: [], templates: [], prompts: [] }),
      read: () => Promise.reject(new Error('No resource is read.')),
      isEditor: () => false,
      identityOf: (id) => reader.identityOf(id),
      secretsIn: secretPlaces,
      explain: (error) => ({ sentence: messageOf(error) }),
    };
  }
}

describe('Skills of servers and of the workspace', () => {
  let host: TestHost;
  let folder: string;
  let chat: SkilledChat;
  const heard = (): Promise<string> => readFile(path.join(folder, 'heard.txt'), 'utf8');

  /** Starts one server for each name, all of which serve the same folder. */
  async function start(...names: readonly string[]): Promise<void> {
    const launch = (name: string): object => ({
      command: 'node',
      args: [program, path.join(folder, 'skills'), path.join(folder, 'heard.txt'), ...(name === 'liar' ? ['--lies'] : [])],
    });
    await host.configure(Object.fromEntries(names.map((name) => [name, launch(name)])));
    for (const name of names) {
      const { id } = host.server(name);
      assert.equal((await host.registry.start(id, { ask: host.ask, signal: new AbortController().signal })).kind, 'ready');
      await host.registry.features(id).listed;
    }
  }

  const write = async (file: string, text: string): Promise<void> => {
    await mkdir(path.dirname(path.join(folder, file)), { recursive: true });
    await writeFile(path.join(folder, file), text);
  };

  beforeEach(async () => {
    folder = createTemporaryFolder();
    await write('heard.txt', '');
    await write('skills/pay/SKILL.md', skillText('pay', 'Read forms/FORM.md first.\n'));
    await write('skills/pay/forms/FORM.md', 'Amount, name.\n');
    host = await createTestHost();
    chat = new SkilledChat(host, path.join(folder, 'workspace'));
  });
  afterEach(() => host.close());

  it('a skill is read only after its question, and shown with all its files before the model gets one', async () => {
    await start('shop');
    assert.deepEqual(
      host.server('shop').skills.map(({ uri, name, description }) => ({ uri, name, description })),
      [{ uri: 'skill://shop/pay/SKILL.md', name: 'pay', description: 'How to pay.' }],
    );
    assert.equal(await heard(), '');
    const [first, form] = await chat.load({ skill: 'pay', server: 'shop' }, { skill: 'pay', file: 'forms/FORM.md' });
    assert.match(first ?? '', /Read forms\/FORM\.md first/);
    assert.doesNotMatch(first ?? '', /Amount, name/);
    assert.match(form ?? '', /Amount, name/);
    // One question to read there, one about the content, and none about the other file of the same skill.
    assert.deepEqual(
      chat.asked.map(({ detail }) => detail.kind),
      ['callTool', 'sendContent', 'callTool'],
    );
    const [question] = chat.sent;
    assert.ok(question?.detail.kind === 'sendContent');
    assert.deepEqual(question.detail.source, { kind: 'skill', name: 'pay', place: 'skill://shop/pay/SKILL.md' });
    assert.deepEqual(
      question.detail.items.map(({ name }) => name),
      ['SKILL.md', 'forms/FORM.md'],
    );
  });

  it('one changed byte of one file asks again, with the difference; a refusal gives the model nothing', async () => {
    await start('shop');
    chat.answer = () => 'allowWorkspace';
    await chat.load({ skill: 'pay' });
    await chat.load({ skill: 'pay' });
    assert.equal(chat.sent.length, 1);
    await write('skills/pay/forms/FORM.md', 'Amount, game.\n');
    chat.answer = () => 'deny';
    const [refused] = await chat.load({ skill: 'pay' });
    assert.deepEqual(chat.sent[1]?.differences, [{ field: 'forms/FORM.md', before: 'Amount, name.', after: 'Amount, game.' }]);
    assert.doesNotMatch(refused ?? '', /Read forms|game/);
    assert.match(refused ?? '', /declined|denied|not allowed/i);
  });

  it('two servers with the same address stay apart: a permission for one is none for the other', async () => {
    await start('shop', 'other');
    chat.answer = () => 'allowWorkspace';
    const [unclear] = await chat.load({ skill: 'pay' });
    assert.match(unclear ?? '', /several of that name.*pay \(shop\), pay \(other\)/);
    await chat.load({ skill: 'pay', server: 'shop' });
    await chat.load({ skill: 'pay', server: 'other' });
    assert.deepEqual(
      chat.sent.map(({ detail }) => detail.kind === 'sendContent' && detail.server),
      ['shop', 'other'],
    );
  });

  it('a file that is not what the server lists is not shown, and nothing of the skill goes to the model', async () => {
    await start('liar');
    const [lied] = await chat.load({ skill: 'pay' });
    assert.match(lied ?? '', /could not be read/);
    assert.doesNotMatch(lied ?? '', /Read forms/);
    assert.equal(chat.sent.length, 0);
  });

  it('a stored refusal keeps a skill from being read at all, whatever it has become', async () => {
    await start('shop');
    chat.answer = ({ detail }) => (detail.kind === 'sendContent' ? 'denyAlways' : 'allowWorkspace');
    await chat.load({ skill: 'pay' });
    const before = await heard();
    await write('skills/pay/SKILL.md', skillText('pay', 'Harmless now.\n'));
    const [refused] = await chat.load({ skill: 'pay' });
    assert.doesNotMatch(refused ?? '', /Harmless/);
    assert.equal(await heard(), before);
    assert.equal(chat.sent.length, 1);
  });

  it('of a skill in the workspace the model hears nothing before the one question, which comes again when a byte changes', async () => {
    await write('workspace/.claude/skills/ship/SKILL.md', skillText('ship', 'Ship it.\n'));
    chat.answer = () => 'deny';
    await chat.load();
    assert.doesNotMatch(chat.told, /load_skill|How to ship/);
    await chat.load();
    assert.equal(chat.asked.length, 1, 'what was refused is not asked again in this session');
    await write('workspace/.claude/skills/ship/SKILL.md', skillText('ship', 'Ship it!\n'));
    chat.answer = () => 'allowWorkspace';
    const [text] = await chat.load({ skill: 'ship', server: 'workspace' });
    assert.match(chat.told, /load_skill.*How to ship/);
    assert.match(text ?? '', /Ship it!/);
    assert.deepEqual(
      chat.sent.slice(1).map(({ detail }) => detail.kind === 'sendContent' && detail.source.kind),
      ['workspaceSkills', 'skill'],
    );
    await chat.load({ skill: 'ship' });
    assert.equal(chat.sent.length, 3);
    await write('workspace/.claude/skills/ship/SKILL.md', skillText('ship', 'Ship it?\n'));
    await chat.load({ skill: 'ship' });
    assert.deepEqual(
      chat.sent.slice(3).map(({ differences }) => differences.map(({ field }) => field)),
      [['.claude/skills/ship/SKILL.md'], ['SKILL.md']],
    );
    assert.match(JSON.stringify(chat.sent[4]?.differences), /Ship it!.*Ship it\?/);
  });

  it('in a workspace that nobody trusts no skill is read', async () => {
    await write('workspace/.claude/skills/ship/SKILL.md', skillText('ship'));
    chat.isTrusted = false;
    await chat.load();
    assert.deepEqual([chat.asked, chat.told.includes('ship')], [[], false]);
  });

  it('a refusal for good holds for its own workspace only', async () => {
    await write('workspace/.claude/skills/ship/SKILL.md', skillText('ship'));
    await write('elsewhere/.claude/skills/ship/SKILL.md', skillText('ship'));
    chat.answer = () => 'denyAlways';
    await chat.load();
    const elsewhere = new SkilledChat(host, path.join(folder, 'elsewhere'));
    await elsewhere.load();
    assert.equal(elsewhere.asked.length, 1);
  });

  it('what a skill says of tools and hooks allows nothing', async () => {
    await write('workspace/.claude/skills/ship/SKILL.md', skillText('ship'));
    await chat.load({ skill: 'ship' });
    const kinds = new Set(host.ledger.answers().map(({ action }) => action));
    assert.deepEqual(
      [...kinds].filter((action) => action !== 'startServer'),
      [],
    );
  });

  it('links out of the workspace are not followed, and what is too much is left out', async () => {
    const workspace = path.join(folder, 'workspace');
    await write('outside/SKILL.md', skillText('outside'));
    await write('outside/secret.txt', 'secret');
    await write('workspace/.agents/skills/good/SKILL.md', skillText('good'));
    await write('workspace/.agents/skills/bare/README.md', 'no skill');
    await write('workspace/.agents/skills/huge/SKILL.md', skillText('huge', 'x'.repeat(300_000)));
    await write('workspace/.agents/skills/deep/a/b/c/d/e/f.md', 'deep');
    await write('workspace/.agents/skills/deep/SKILL.md', skillText('deep'));
    await mkdir(path.join(workspace, '.github'), { recursive: true });
    await symlink(path.join(folder, 'outside'), path.join(workspace, '.agents/skills/outside'));
    await symlink(path.join(folder, 'outside/secret.txt'), path.join(workspace, '.agents/skills/good/note.txt'));
    await symlink(path.join(folder, 'outside'), path.join(workspace, '.agents/skills/good/more'));
    await symlink(path.join(folder, 'skills'), path.join(workspace, '.github/skills'));
    const leftOut: string[] = [];
    const skills = await readSkillFiles({ root: workspace, isShown: () => true, onLeftOut: (at) => void leftOut.push(at) });
    assert.deepEqual(
      skills.map(({ path: at, files }) => [at, files.map((file) => file.path)]),
      [['.agents/skills/good', ['SKILL.md']]],
    );
    assert.deepEqual(leftOut, ['.agents/skills/deep', '.agents/skills/huge']);
  });
});
