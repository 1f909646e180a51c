import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import * as path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import type { Workbench } from '../harness/workbench.ts';
import { allowEverything } from './attentivePerson.ts';
import { readDiscovery } from './discovery.ts';
import { EditReview } from './editReview.ts';
import { connectOutside } from './outsideProgram.ts';

/** A text of twelve lines, and the change that is proposed for it: one at its beginning, one at its end. */
export const originalText = ['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten', 'eleven', 'twelve', ''].join(
  '\n',
);
export const proposedText = originalText.replace('two', 'TWO').replace('eleven', 'ELEVEN');

interface Outcome {
  readonly outcome: string;
  readonly reason?: string;
  readonly text?: string;
}

interface OutsideEditor {
  readonly client: () => Client;
  readonly review: () => EditReview;
  /** Where a file of the workspace is. */
  readonly file: (name: string) => string;
  /** Proposes to change a new file, and waits until the person sees it. */
  readonly propose: (name: string, description?: string) => Promise<{ readonly result: Promise<Outcome> }>;
}

/** A program outside whom the person has let in as an editor, for all tests of a suite. */
export function useOutsideEditor(workbench: () => Workbench): OutsideEditor {
  let connected: Client | undefined;
  const client = (): Client => connected ?? assert.fail('The program outside exists only while tests run.');
  let review: EditReview;
  before(async () => {
    await workbench().openView('Duplex');
    review = new EditReview(workbench());
    connected = await connectOutside(await readDiscovery(workbench().folders.home), 'outsider');
    const person = allowEverything(workbench(), { role: 'Editor' });
    await client().callTool({ name: 'list_workspace_folders', arguments: {} });
    await person.stop();
  });
  after(() => connected?.close());

  const file = (name: string): string => path.join(workbench().folders.workspace ?? '', name);
  const propose: OutsideEditor['propose'] = async (name, description) => {
    await writeFile(file(name), originalText);
    const call = client().callTool(
      { name: 'propose_edit', arguments: { path: name, newText: proposedText, ...(description !== undefined && { description }) } },
      { onprogress: () => undefined, timeout: 100_000 },
    );
    const result = call.then(({ structuredContent, content }) => {
      assert.ok(structuredContent, JSON.stringify(content));
      return structuredContent as unknown as Outcome;
    });
    result.catch(() => undefined); // looked at later
    await review.waitFor(new RegExp(`${name} \\(proposed by outsider`));
    return { result };
  };
  return { client, review: () => review, file, propose };
}
