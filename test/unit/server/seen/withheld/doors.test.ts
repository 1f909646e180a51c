import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import * as path from 'node:path';
import ts from 'typescript';
import type { EditorPort } from '../../../../../src/server/seen/ports/editorPort.ts';
import { withholding } from '../../../../../src/server/seen/withheld/editorViews.ts';
import { visibilityWith } from '../../support/visibilityWith.ts';

const ports = path.resolve(import.meta.dirname, '../../../../../src/server/seen/ports');

/** Doors that are open as they are, and why nothing withheld comes through. */
const harmless: Readonly<Record<string, string>> = {
  'DebugPort.onDidChangeAvailable': 'carries nothing',
  'EditorPort.onDidChangeWorkspaceFolders': 'folders are what the person opened for all',
  'TerminalsPort.onDidChangeTerminal': 'carries the id of a terminal',
  'TerminalsPort.onDidChangeTerminals': 'carries nothing',
  'TestsPort.onDidChangeRun': 'carries the id of a run',
  'TestsPort.onDidChangeRuns': 'carries nothing',
};

/** The members of an interface as they are written: what a fake would forget is in the source. */
function membersOf(file: string, name: string): { readonly name: string; readonly type: string }[] {
  const source = ts.createSourceFile(file, readFileSync(path.join(ports, file), 'utf8'), ts.ScriptTarget.Latest, true);
  const found = source.statements.filter(ts.isInterfaceDeclaration).find((statement) => statement.name.text === name);
  assert.ok(found, `${name} is in ${file}`);
  assert.equal(found.heritageClauses, undefined, `${name} stands for itself`);
  return found.members.map((member) => {
    assert.ok(member.name !== undefined && ts.isIdentifier(member.name), `members of ${name} have names`);
    return { name: member.name.text, type: ts.isPropertySignature(member) ? (member.type?.getText() ?? '') : '' };
  });
}

const partFiles = readdirSync(ports)
  .filter((file) => file.endsWith('Port.ts') && file !== 'editorPort.ts')
  .map((file) => ({ file, name: `${file[0]?.toUpperCase() ?? ''}${file.slice(1, -3)}` }));

/** An editor whose every member is a door of its own. */
function doors(): { readonly editor: EditorPort; readonly all: ReadonlyMap<string, unknown> } {
  const all = new Map<string, unknown>();
  const make = (file: string, port: string): Record<string, unknown> =>
    Object.fromEntries(
      membersOf(file, port).map(({ name, type }) => {
        const part = partFiles.find((candidate) => candidate.name === type);
        const door = part === undefined ? () => ({ dispose: () => undefined }) : make(part.file, part.name);
        if (part === undefined) {
          all.set(`${port}.${name}`, door);
        }
        return [name, door];
      }),
    );
  return { editor: make('editorPort.ts', 'EditorPort') as unknown as EditorPort, all };
}

describe('The filter between clients and the editor', () => {
  const { editor, all } = doors();
  const seen = withholding(
    editor,
    visibilityWith(
      () => true,
      (text) => text,
    ),
  ) as unknown as Record<string, unknown>;
  const raw = editor as unknown as Record<string, unknown>;

  function doorIn(from: Record<string, unknown>, door: string): unknown {
    const [port = '', name = ''] = door.split('.');
    const part = Object.keys(raw).find((key) => port.toLowerCase() === `${key}port`.toLowerCase());
    return part === undefined ? from[name] : (from[part] as Record<string, unknown>)[name];
  }

  it('has a hand on every door that is not listed as harmless', () => {
    const unguarded = [...all].filter(([door, original]) => doorIn(seen, door) === original).map(([door]) => door);
    assert.deepEqual(unguarded.sort(), Object.keys(harmless).sort());
  });

  it('leaves no door out', () => {
    assert.deepEqual(
      [...all.keys()].filter((door) => typeof doorIn(seen, door) !== 'function'),
      [],
    );
  });

  it('covers every part of the editor that there is a port for', () => {
    const parts = membersOf('editorPort.ts', 'EditorPort').map(({ type }) => type);
    assert.deepEqual(
      partFiles.map(({ name }) => name).filter((name) => !parts.includes(name)),
      [],
    );
  });
});
