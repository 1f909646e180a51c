import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import * as vscode from 'vscode';
import type { TestAccess } from '../../../src/app/app.ts';
import type { TestDoor } from '../../../src/extension.ts';
import type { PersonAnswer, Question } from '../../../src/contract/questions/questions.ts';
import { discoveryFile, type DiscoveryFile } from '../../../src/contract/bridgeFiles.ts';

const deadlineMs = 60_000;

/** With all that is loaded after the activation. */
export async function activateDuplex(): Promise<TestAccess> {
  return (await duplex().activate()).access();
}

/** The built program of the threads. */
export function threadProgram(): string {
  return path.join(duplex().extensionPath, 'dist', 'workThread.js');
}

function duplex(): vscode.Extension<TestDoor> {
  const extension = vscode.extensions.getExtension<TestDoor>('duplex-mcp.duplex');
  assert.ok(extension, 'the extension is installed');
  return extension;
}

/** Waits for a condition that some event of the editor brings about; looks often, gives up after a while. */
export async function until<T>(what: string, look: () => T | undefined | Promise<T | undefined>, pauseMs = 25): Promise<T> {
  const deadline = performance.now() + deadlineMs;
  for (;;) {
    const found = await look();
    if (found !== undefined) {
      return found;
    }
    assert.ok(performance.now() < deadline, `still waiting for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}

/** What a program outside would read: this window's discovery file. */
export function discovery(): Promise<DiscoveryFile> {
  const folder = path.join(process.env['DUPLEX_HOME'] ?? '', 'windows');
  return until('the discovery file', () => {
    const file = listOf(folder).find((name) => name.endsWith('.json'));
    return file === undefined ? undefined : discoveryFile.parse(JSON.parse(readFileSync(path.join(folder, file), 'utf8')));
  });
}

function listOf(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Answers the next open question of a kind, as a person at the consent panel would; returns what was asked. */
export async function answerNext(access: TestAccess, kind: Question['detail']['kind'], choice: PersonAnswer['choice']): Promise<Question> {
  const question = await until(`a ${kind} question`, () => access.questions.list().find(({ detail }) => detail.kind === kind));
  assert.equal(access.questions.answer({ askId: question.askId, choice }), true);
  return question;
}

export function workspacePath(...segments: string[]): string {
  return path.join(vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '', ...segments);
}
