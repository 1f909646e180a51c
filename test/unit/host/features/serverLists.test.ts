import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '../../../../src/base/json.ts';
import { silentLog } from '../../../../src/base/log.ts';
import { ServerSession, type SessionOptions } from '../../../../src/host/connection/serverSession.ts';
import { ServerFeatures } from '../../../../src/host/features/serverFeatures.ts';
import { hostError } from '../../../../src/host/shared/hostErrors.ts';
import { greeting, PeerInMemory, sessionOptions } from '../peerInMemory.ts';

const { signal } = new AbortController();

describe('A list that changes while it is read for the first time', () => {
  /** Answers the first reading of a list with what it was when the later ones were answered long ago. */
  const overtaken = (list: string, old: JsonObject, now: JsonObject): { answer: () => Promise<JsonObject>; release: () => void } => {
    let isFirst = true;
    let release = (): void => undefined;
    const answer = async (): Promise<JsonObject> => {
      const wasFirst = isFirst;
      isFirst = false;
      if (wasFirst) {
        await new Promise<void>((resolve) => (release = resolve));
      }
      return { [list]: [wasFirst ? old : now] };
    };
    return { answer, release: () => release() };
  };

  it('is what the later reading found, although the first one ends after it', async () => {
    const tools = overtaken('tools', { name: 'old', inputSchema: {} }, { name: 'new', inputSchema: {} });
    const prompts = overtaken('prompts', { name: 'old' }, { name: 'new' });
    const resources = overtaken('resources', { uri: 'a:old', name: 'old' }, { uri: 'a:new', name: 'new' });
    const templates = overtaken('resourceTemplates', { uriTemplate: 'a:old', name: 'o' }, { uriTemplate: 'a:new', name: 'n' });
    const lists = [tools, prompts, resources, templates];
    const peer = new PeerInMemory({
      initialize: () => greeting({ tools: { listChanged: true }, prompts: { listChanged: true }, resources: { listChanged: true } }),
      'tools/list': tools.answer,
      'prompts/list': prompts.answer,
      'resources/list': resources.answer,
      'resources/templates/list': templates.answer,
    });
    const features = new ServerFeatures({ timeoutMs: 2_000, log: silentLog });
    const opening = ServerSession.open(
      peer.link,
      sessionOptions({
        configure: (client) => features.configure(client),
        afterConnect: (client, session) => features.attach(client, session),
      }),
      signal,
    );
    const listings = (): number => peer.asked.filter((method) => method.endsWith('/list')).length;
    const until = async (count: number): Promise<void> => {
      while (listings() < count) {
        await sleep(5);
      }
    };
    await until(4);
    ['tools', 'prompts', 'resources'].forEach((what) => peer.notify(`notifications/${what}/list_changed`));
    await until(8);
    await sleep(0);
    lists.forEach(({ release }) => release());
    const session = await opening;
    await features.listed;
    assert.deepEqual([session.tools.map(({ name }) => name), features.prompts.map(({ name }) => name)], [['new'], ['new']]);
    assert.deepEqual(
      [features.resources.map(({ uri }) => uri), features.templates.map((each) => each.uriTemplate)],
      [['a:new'], ['a:new']],
    );
    await session.close();
    features.dispose();
  });

  it('is announced as changed when the later reading ends last and finds nothing', async () => {
    const releases: (() => void)[] = [];
    let answered = 0;
    const peer = new PeerInMemory({
      'tools/list': async () => {
        const isFirst = releases.length === 0;
        await new Promise<void>((resolve) => releases.push(resolve));
        answered += 1;
        return { tools: isFirst ? [{ name: 'old', inputSchema: {} }] : [] };
      },
    });
    const opening = ServerSession.open(peer.link, sessionOptions(), signal);
    while (releases.length < 1) {
      await sleep(5);
    }
    peer.notify('notifications/tools/list_changed');
    while (releases.length < 2) {
      await sleep(5);
    }
    releases[0]?.();
    const session = await opening;
    const seen: string[][] = [];
    const watching = session.onDidChangeTools(() => seen.push(session.tools.map(({ name }) => name)));
    assert.deepEqual(
      session.tools.map(({ name }) => name),
      ['old'],
    );
    releases[1]?.();
    while (answered < 2 || session.tools.length > 0) {
      await sleep(5);
    }
    assert.deepEqual(seen, [[]]);
    watching.dispose();
    await session.close();
  });

  it('is what the first reading found when a later one failed, each list by itself', async () => {
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const isLater = new Set<string>();
    /** Is listed late at first; later it is listed at once, or not at all. */
    const slow = (list: string, first: JsonObject, later?: JsonObject): (() => Promise<JsonObject>) => {
      return () => {
        if (!isLater.has(list)) {
          isLater.add(list);
          return released.then(() => ({ [list]: [first] }));
        }
        return later === undefined ? refuse() : Promise.resolve({ [list]: [later] });
      };
    };
    const peer = new PeerInMemory({
      initialize: () => greeting({ prompts: { listChanged: true }, resources: { listChanged: true } }),
      'prompts/list': slow('prompts', { name: 'old' }),
      'resources/list': slow('resources', { uri: 'a:old', name: 'old' }, { uri: 'a:new', name: 'new' }),
      'resources/templates/list': slow('resourceTemplates', { uriTemplate: 'a:old', name: 'old' }),
    });
    const warnings: string[] = [];
    const log = { ...silentLog, warn: (message: string) => void warnings.push(message) };
    const features = new ServerFeatures({ timeoutMs: 2_000, log });
    const hooks: Partial<SessionOptions> = {
      configure: (client) => features.configure(client),
      afterConnect: (client, session) => features.attach(client, session),
    };
    const session = await ServerSession.open(peer.link, sessionOptions(hooks), signal);
    ['prompts', 'resources'].forEach((what) => peer.notify(`notifications/${what}/list_changed`));
    while (warnings.length < 2) {
      await sleep(5);
    }
    release();
    await features.listed;
    assert.deepEqual(
      [
        features.prompts.map(({ name }) => name),
        features.resources.map(({ uri }) => uri),
        features.templates.map((each) => each.uriTemplate),
      ],
      [['old'], ['a:new'], ['a:old']],
    );
    await session.close();
    features.dispose();
  });
});

function refuse(): never {
  throw hostError('host.forbidden', { status: 403 });
}
