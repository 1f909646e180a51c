import type { Choice, QuestionDetail } from '../../../src/contract/questions/questions.ts';

const asker = { kind: 'model', name: 'Claude Sonnet 4.5' } as const;
const client = { callsItself: 'deploy-helper', transport: 'Streamable HTTP', credential: 'windowToken', credentialId: 'w1' } as const;
const destination = { kind: 'model', name: 'Claude Sonnet 4.5', address: 'https://api.anthropic.com' } as const;
const usual: readonly Choice[] = ['deny', 'allowOnce', 'allowSession'];
const script = { commandLine: 'npm test', definition: 'node --test', chain: { steps: [], unknown: [] }, cwd: '/home/somebody/till' };

/** One of each kind with long names, but for calls and starts, which have pictures of their own. */
export const questionKinds: Readonly<Record<string, readonly [detail: QuestionDetail, choices: readonly Choice[]]>> = {
  connectClient: [
    { kind: 'connectClient', ...client, roles: ['reader', 'editor', 'runner'] },
    ['deny', 'denyAlways', 'allowSession', 'allowAlways'],
  ],
  clientAct: [
    { kind: 'clientAct', ...client, tool: 'run_tests', role: 'reader', neededRole: 'runner', what: { kind: 'script', ...script } },
    ['deny', 'allowOnce', 'raiseRole'],
  ],
  ownAct: [
    {
      kind: 'ownAct',
      asker,
      tool: 'run_terminal_command',
      what: {
        kind: 'command',
        commandLine: 'git log --oneline --max-count=20 origin/main',
        cwd: '/home/somebody/till',
        terminal: 'Duplex',
      },
    },
    usual,
  ],
  roots: [
    { kind: 'roots', server: 'filesystem-of-the-team', folders: [{ name: 'till', path: '/home/somebody/projects/till-with-a-long-name' }] },
    ['deny', 'allowOnce', 'allowSession', 'allowWorkspace'],
  ],
  sampling: [
    {
      kind: 'sampling',
      server: 'reviewer',
      during: ['review_everything'],
      systemPrompt: { text: 'Be brief.', secrets: [] },
      messages: [{ role: 'user', parts: [{ kind: 'text', text: 'Which of these lines is wrong?', secrets: [] }] }],
      model: 'claude-sonnet-4-5',
      destination: 'api.anthropic.com',
      chosenBy: 'chat',
      models: ['claude-sonnet-4-5', 'claude-opus-4-6'],
      hints: [],
      priorities: [],
      maxTokens: { value: 1000, cap: 4000 },
      stopSequences: [],
      tools: [],
      budget: { requestsPerHour: 20, tokensPerDay: 100_000, requests: 1, tokens: 900, isExceeded: false },
    },
    ['deny', 'allowOnce', 'allowSession', 'allowWorkspace'],
  ],
  samplingResponse: [
    {
      kind: 'samplingResponse',
      server: 'reviewer',
      model: 'claude-sonnet-4-5',
      parts: [{ kind: 'text', text: 'The third.', secrets: [] }],
      stopReason: 'endTurn',
      usage: { inputTokens: 900, outputTokens: 12 },
    },
    ['deny', 'allowOnce'],
  ],
  link: [
    {
      kind: 'elicitation',
      server: 'payments',
      message: 'Please confirm the payment.',
      request: { mode: 'url', url: 'https://pay.example.com/confirm?order=1234567890&session=abcdefghijklmnop', host: 'pay.example.com' },
    },
    ['deny', 'allowOnce', 'cancel'],
  ],
  signIn: [
    {
      kind: 'signIn',
      server: 'notes',
      issuer: 'https://login.identity-provider.example.com',
      secret: { name: 'NOTES_SECRET', sentTo: ['https://login.identity-provider.example.com'] },
      earlierIssuer: 'https://login.example.com',
    },
    ['deny', 'allowOnce'],
  ],
  sendConversation: [
    { kind: 'sendConversation', destination: 'api.anthropic.com', messages: 12, images: 1, bytes: 48_213 },
    ['newConversation', 'deny', 'allowOnce'],
  ],
  seeEditor: [
    {
      kind: 'seeEditor',
      asker,
      server: 'editor',
      tool: 'get_diagnostics',
      arguments: '{\n  "severity": "error"\n}',
      tools: ['get_diagnostics', 'read_file', 'list_workspace_folders'],
      destination,
    },
    ['deny', 'denyAlways', 'allowOnce', 'allowSession', 'allowWorkspace', 'allowAlways'],
  ],
  sendContent: [
    {
      kind: 'sendContent',
      server: 'notes',
      source: { kind: 'resource', uri: 'notes://meetings/2026-11-17', name: 'Meeting of the seventeenth' },
      destination,
      items: [{ kind: 'text', name: 'Meeting of the seventeenth', pieces: ['We met and agreed.'] }],
      bytes: 18,
      secrets: [],
      invisible: 0,
    },
    ['deny', 'allowOnce', 'allowSession', 'allowWorkspace'],
  ],
};

/** The labels of answers that are cut, or lie over one another. It runs in the page. */
export function overlapping(card: Element): readonly string[] {
  const buttons = [...card.querySelectorAll('[data-answers] button')];
  const boxes = buttons.map((button) => button.getBoundingClientRect());
  return buttons
    .filter((button, index) => {
      const box = boxes[index];
      const isOver = boxes.some(
        (other, at) =>
          at !== index &&
          box !== undefined &&
          box.left < other.right &&
          other.left < box.right &&
          box.top < other.bottom &&
          other.top < box.bottom,
      );
      return isOver || button.scrollWidth > button.clientWidth;
    })
    .map(({ textContent }) => textContent);
}
