import assert from 'node:assert/strict';
import type { JsonObject } from '../../../../src/base/json.ts';
import { tools } from '../../../../src/server/offer/tools/toolTable.ts';
import type { EditorTool } from '../../../../src/server/offer/tools/tool.ts';
import { fakeCall } from './fakeCall.ts';
import type { FakeEditor } from './fakePorts.ts';

export interface ToolAnswer {
  readonly output: Record<string, unknown>;
  /** What stands in `content`, if the tool says it in its own words. */
  readonly text: string | undefined;
  /** What stands in `structuredContent`, if it was written already. */
  readonly structure: string | undefined;
}

export async function answerOf(name: string, args: JsonObject, editor: FakeEditor): Promise<ToolAnswer> {
  const prepared = toolNamed(name).prepare(args);
  assert.ok(prepared.kind === 'ready', JSON.stringify(prepared));
  const answer = await prepared.run({ editor, call: fakeCall(), attach: () => undefined });
  return { output: answer.output as Record<string, unknown>, text: answer.toText?.(), structure: answer.structure };
}

export function toolNamed(name: string): EditorTool {
  const tool = tools.find((each) => each.name === name);
  assert.ok(tool, name);
  return tool;
}

/** Every page, one after the other. */
export async function allPages(name: string, args: JsonObject, editor: FakeEditor): Promise<ToolAnswer[]> {
  const pages: ToolAnswer[] = [];
  for (let cursor: string | undefined; ;) {
    const page = await answerOf(name, cursor === undefined ? args : { ...args, cursor }, editor);
    pages.push(page);
    assert.ok(pages.length < 10_000, `${name} never ends`);
    if (page.output['nextCursor'] === undefined) {
      return pages;
    }
    assert.notEqual(page.output['nextCursor'], cursor, 'a page leads on');
    cursor = page.output['nextCursor'] as string;
  }
}
