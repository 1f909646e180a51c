import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import type { DiscoveryFile } from '../../src/contract/bridgeFiles.ts';
import { activateDuplex, answerNext, discovery, until } from './support/duplex.ts';

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'outside', version: '1' } },
};

function post({ urls }: DiscoveryFile, token: string, message: object, sessionId?: string): Promise<Response> {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(sessionId === undefined ? {} : { 'mcp-session-id': sessionId }),
  };
  return fetch(urls.mcp, { method: 'POST', headers, body: JSON.stringify(message) });
}

async function statusWith(window: DiscoveryFile, token: string): Promise<number> {
  const response = await post(window, token, initialize);
  await response.text();
  return response.status;
}

/** Picks the first entry of the open quick pick, as often as it takes to arrive. */
async function copyFirst(): Promise<{ mcpServers: { duplex: { command: string; env: Record<string, string> } } }> {
  await vscode.env.clipboard.writeText('nothing');
  const done = vscode.commands.executeCommand('duplex.copyClientConfiguration');
  const text = await until('a copied configuration', async () => {
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    const copied = await vscode.env.clipboard.readText();
    return copied === 'nothing' ? undefined : copied;
  });
  await done;
  return JSON.parse(text) as { mcpServers: { duplex: { command: string; env: Record<string, string> } } };
}

describe('credentials of outside clients', () => {
  it('a copied configuration holds a token that this window accepts', async () => {
    await activateDuplex();
    const window = await discovery();
    const { duplex } = (await copyFirst()).mcpServers;
    assert.match(duplex.command, /bin[\\/]duplex-bridge(\.cmd)?$/);
    assert.equal(await statusWith(window, duplex.env['DUPLEX_CLIENT_TOKEN'] ?? ''), 200);
    assert.equal(await statusWith(window, 'another'), 401);
  });

  it('an OAuth client is let in by the question in VS Code, which shows the pairing code of its page, and is asked about once', async () => {
    const access = await activateDuplex();
    const window = await discovery();
    const base = new URL(window.urls.mcp).origin;
    const redirect = 'http://127.0.0.1:7777/callback';
    const registered = await fetch(`${base}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ client_name: 'Outside', redirect_uris: [redirect] }),
    });
    const { client_id: clientId } = (await registered.json()) as { client_id: string };
    const verifier = randomBytes(32).toString('base64url');
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirect,
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    });
    const page = await (await fetch(`${base}/authorize?${query.toString()}`)).text();
    const shown = />([A-Z0-9]{4}-[A-Z0-9]{4})</.exec(page)?.[1];
    const next = /url=([^"]+)"/.exec(page)?.[1] ?? '';
    const question = await answerNext(access, 'connectClient', 'allowSession');
    assert.ok(question.detail.kind === 'connectClient');
    assert.equal(question.detail.pairingCode, shown);
    const back = await fetch(`${base}${next}`, { redirect: 'manual' });
    const code = new URL(back.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const form = { grant_type: 'authorization_code', client_id: clientId, code, code_verifier: verifier, redirect_uri: redirect };
    const answer = await fetch(`${base}/token`, { method: 'POST', body: new URLSearchParams(form) });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const opened = await post(window, token, initialize);
    await opened.text();
    const session = opened.headers.get('mcp-session-id') ?? '';
    await post(window, token, { jsonrpc: '2.0', method: 'notifications/initialized' }, session);
    const call = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'list_workspace_folders', arguments: {} } };
    const called = await post(window, token, call, session);
    assert.match(await called.text(), /folders/);
    assert.equal(access.questions.list().filter(({ detail }) => detail.kind === 'connectClient').length, 0);
  });
});
