import type { ChatContent, ContentOffers, ContentReading } from '../chat/content/chatContent.ts';
import { withoutSecrets } from '../chat/content/contentPieces.ts';
import type { ConsentGate } from '../consent/consentGate.ts';
import type { ContentReader } from '../host/contentReader.ts';
import type { HostRegistry } from '../host/hostRegistry.ts';
import { secretPlaces } from '../server/seen/withheld/redactSecrets.ts';
import { errorSentence } from '../views/errorSentence.ts';

/** Joins resources and prompts of every running server to the chat, under the chat's own permissions. */
export function joinChatContent(registry: HostRegistry, reader: ContentReader, gate: ConsentGate): ChatContent {
  return {
    gate,
    offers: async (signal) => {
      await reader.listed(signal);
      return offersOf(registry);
    },
    read: async (wish, signal, ask): Promise<ContentReading> => {
      const recordedAs = await withoutSecrets(wish.kind === 'resource' ? wish.uri : wish.name, secretPlaces);
      try {
        return { kind: 'given', content: await reader.read({ ...wish, principal: 'chat', recordedAs, signal, ask }) };
      } catch (error) {
        signal.throwIfAborted();
        return { kind: 'failed', ...explain(error) };
      }
    },
    identityOf: (serverId) => reader.identityOf(serverId),
    secretsIn: secretPlaces,
    explain,
  };
}

function offersOf(registry: HostRegistry): ContentOffers {
  const running = registry.servers().filter(({ state }) => state.kind === 'ready');
  const from = ({ id, label }: (typeof running)[number]): { serverId: string; server: string } => ({ serverId: id, server: label });
  return {
    resources: running.flatMap((server) => server.resources.map((resource) => ({ ...resource, ...from(server) }))),
    templates: running.flatMap((server) => server.templates.map((template) => ({ ...template, ...from(server) }))),
    prompts: running.flatMap((server) => server.prompts.map((prompt) => ({ ...prompt, ...from(server) }))),
  };
}

function explain(error: unknown): ReturnType<ChatContent['explain']> {
  return { sentence: errorSentence(error) };
}
