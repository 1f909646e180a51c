/** Run by itself: prints how much later the chat has the first word of an answer than who asks with the bare SDK. */
import { Anthropic } from '@anthropic-ai/sdk';
import { AnthropicProvider } from '../../src/chat/models/anthropic.ts';
import { AnthropicServer } from '../fixtures/anthropic/anthropicServer.ts';
import { FakeTools, echoCall, makeChat } from '../unit/chat/support.ts';
import { median, reportRows } from './rows.ts';

const rounds = 60;
const warmUp = 10;
const model = 'claude-stand-in-2';
const question = 'Say a few words.';
const server = await AnthropicServer.start();
const sdk = new Anthropic({ apiKey: server.apiKey, baseURL: server.url, maxRetries: 0 });
const provider = new AnthropicProvider({ apiKey: () => Promise.resolve(server.apiKey), baseUrl: () => server.url });

/** Both in turn, so that a busy moment of the machine hits both alike; a conversation of its own each time. */
const times = { sdk: [] as number[], chat: [] as number[] };
for (let round = 0; round < warmUp + rounds; round += 1) {
  server.script([1, 2].map(() => ({ kind: 'answer', blocks: [{ kind: 'text', text: 'Here they are.' }] })));
  const [bare, chat] = [await withSdk(), await withChat()];
  if (round >= warmUp) {
    times.sdk.push(bare);
    times.chat.push(chat);
  }
}
await server.close();
const [bare, chat] = [median(times.sdk), median(times.chat)];
console.log('\nfirst word of an answer, from the stand-in API in the same process, median');
console.log(`bare SDK  ${bare.toFixed(2)} ms`);
console.log(`chat      ${chat.toFixed(2)} ms  ${((chat / bare) * 100).toFixed(0)} %, ${(chat - bare).toFixed(2)} ms added`);
reportRows([
  {
    what: 'first word of an answer in the chat, over the bare model SDK',
    measured: chat - bare,
    unit: 'ms',
    beside: `bare SDK ${bare.toFixed(2)} ms`,
    isInReadme: true,
  },
]);

async function withSdk(): Promise<number> {
  const started = performance.now();
  let first: number | undefined;
  const stream = await sdk.messages.create({ model, max_tokens: 1_024, stream: true, messages: [{ role: 'user', content: question }] });
  for await (const event of stream) {
    if (event.type === 'content_block_delta') {
      first ??= performance.now() - started;
    }
  }
  return first ?? Number.NaN;
}

/** Until the page is told. */
async function withChat(): Promise<number> {
  const { session, dispose } = makeChat(provider, new FakeTools([], echoCall), { model });
  const started = performance.now();
  let first: number | undefined;
  const listening = session.onMessage(() => {
    const answer = session.conversation.items.findLast((each) => each.kind === 'assistant');
    if (answer?.parts.some((part) => part.kind === 'text' && part.text !== '') === true) {
      first ??= performance.now() - started;
    }
  });
  await session.send(question);
  listening.dispose();
  dispose();
  return first ?? Number.NaN;
}
