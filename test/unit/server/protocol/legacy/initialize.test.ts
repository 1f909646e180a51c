import assert from 'node:assert/strict';
import { isInitializeRequest } from '@modelcontextprotocol/client';
import type { JsonObject } from '../../../../../src/base/json.ts';
import { initializeResult, problemWithInitialize } from '../../../../../src/server/protocol/legacy/initialize.ts';
import { legacyRevisions } from '../../../../../src/server/protocol/requests/revisions.ts';
import { identityOf } from '../../../../../src/server/protocol/clients/protocolServices.ts';

const info = { name: 'peer', version: '9' };

function paramsWith(more: JsonObject): JsonObject {
  return { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: info, ...more };
}

function withCapabilities(capabilities: JsonObject): JsonObject {
  return paramsWith({ capabilities });
}

function withInfo(more: JsonObject): JsonObject {
  return paramsWith({ clientInfo: { ...info, ...more } });
}

const wellFormed: readonly JsonObject[] = [
  paramsWith({}),
  paramsWith({ extra: 5 }),
  paramsWith({ _meta: { progressToken: 1, more: [] } }),
  withInfo({ title: 'Peer', description: 'x', websiteUrl: 'x', more: 5 }),
  withInfo({ icons: [{ src: 'x', mimeType: 'image/png', sizes: ['1x1'], theme: 'dark' }] }),
  withCapabilities({ mars: 5 }),
  withCapabilities({ roots: { listChanged: true, more: 5 } }),
  withCapabilities({ sampling: { context: {}, tools: { x: 1 } } }),
  withCapabilities({ elicitation: {} }),
  withCapabilities({ elicitation: { form: { applyDefaults: true, more: 5 }, url: {}, more: 5 } }),
  withCapabilities({ experimental: { x: { y: [1] } }, extensions: { 'a/b': {} } }),
  withCapabilities({ tasks: { list: {}, cancel: {}, requests: { sampling: { createMessage: {} }, elicitation: { create: {} } } } }),
];

const malformed: readonly JsonObject[] = [
  {},
  paramsWith({ protocolVersion: 20251125 }),
  paramsWith({ capabilities: [] }),
  paramsWith({ capabilities: null }),
  paramsWith({ clientInfo: 'peer' }),
  paramsWith({ clientInfo: { name: 'peer' } }),
  paramsWith({ _meta: 5 }),
  paramsWith({ _meta: { progressToken: 1.5 } }),
  withInfo({ title: 5 }),
  withInfo({ description: 5 }),
  withInfo({ websiteUrl: 5 }),
  withInfo({ icons: {} }),
  withInfo({ icons: [{}] }),
  withInfo({ icons: [{ src: 'x', theme: 'pink' }] }),
  withInfo({ icons: [{ src: 'x', sizes: '1x1' }] }),
  withCapabilities({ roots: 5 }),
  withCapabilities({ roots: null }),
  withCapabilities({ roots: { listChanged: 'yes' } }),
  withCapabilities({ sampling: [] }),
  withCapabilities({ sampling: { tools: true } }),
  withCapabilities({ sampling: { context: 1 } }),
  withCapabilities({ elicitation: true }),
  withCapabilities({ elicitation: { form: 1 } }),
  withCapabilities({ elicitation: { form: { applyDefaults: 1 } } }),
  withCapabilities({ elicitation: { url: 'x' } }),
  withCapabilities({ experimental: { x: true } }),
  withCapabilities({ extensions: { x: [] } }),
  withCapabilities({ tasks: { list: 5 } }),
  withCapabilities({ tasks: { requests: { sampling: 5 } } }),
  withCapabilities({ tasks: { requests: { elicitation: { create: 5 } } } }),
];

describe('The parameters of initialize', () => {
  it('are refused where the official SDK refuses them, and nowhere else', () => {
    const isRefused = (params: JsonObject): boolean => problemWithInitialize(params) !== undefined;
    const all = [...wellFormed, ...malformed];
    assert.deepEqual(
      all.filter((params) => isRefused(params) === isInitializeRequest({ method: 'initialize', params })),
      [],
    );
    assert.deepEqual([wellFormed.filter(isRefused), malformed.filter((params) => !isRefused(params))], [[], []]);
  });

  it('are refused with -32602 and a sentence', () => {
    const told = [paramsWith({ clientInfo: {} }), withCapabilities({ roots: 5 })].map(problemWithInitialize);
    assert.deepEqual(told, [
      {
        code: -32602,
        message: 'clientInfo must have a name and a version',
        data: { parameter: 'clientInfo', reason: 'expected name and version' },
      },
      { code: -32602, message: 'Invalid parameters of initialize' },
    ]);
  });
});

describe('The result of initialize', () => {
  it('says what the agreed revision knows, and no more', () => {
    const lists = { tools: { listChanged: true }, resources: { subscribe: true, listChanged: true }, prompts: { listChanged: true } };
    const tasks = { list: {}, cancel: {}, requests: { tools: { call: {} } } };
    const untitled = { name: 'duplex', version: '1.2.3' };
    const titled = { name: 'duplex', title: 'Duplex', version: '1.2.3' };
    const instructions = 'Read first.';
    assert.deepEqual(
      legacyRevisions.map((revision) => initializeResult(revision, identityOf('1.2.3'), instructions)),
      [
        {
          protocolVersion: '2025-11-25',
          capabilities: { ...lists, completions: {}, logging: {}, tasks },
          serverInfo: titled,
          instructions,
        },
        { protocolVersion: '2025-06-18', capabilities: { ...lists, completions: {}, logging: {} }, serverInfo: titled, instructions },
        { protocolVersion: '2025-03-26', capabilities: { ...lists, completions: {}, logging: {} }, serverInfo: untitled, instructions },
        { protocolVersion: '2024-11-05', capabilities: { ...lists, logging: {} }, serverInfo: untitled, instructions },
      ],
    );
  });

  it('has no instructions where there are none', () => {
    assert.ok(!('instructions' in initializeResult('2025-11-25', identityOf('1.2.3'), '')));
  });
});
