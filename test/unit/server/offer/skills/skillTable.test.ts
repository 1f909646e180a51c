import assert from 'node:assert/strict';
import { isJsonObject, type JsonValue } from '../../../../../src/base/json.ts';
import { skills } from '../../../../../src/server/offer/skills/skillTable.ts';
import { wholeSchema } from '../../../../../src/server/offer/tools/toolSchemas.ts';
import { tools } from '../../../../../src/server/offer/tools/toolTable.ts';

/** The debugger's tools with their members, as the contract of the server has them: where the table has no debugger, these count. */
const fromContract: Readonly<Record<string, string>> = {
  list_debug: 'configurations name type folder sessions id state reason isYours breakpoints path line isVerified',
  set_breakpoints: 'path breakpoints line symbol condition hitCount logMessage id isVerified message',
  start_debugging: 'configuration test path name waitMs stop',
  debug_step: 'sessionId action toLine waitMs stop',
  get_debug_state: 'sessionId frame names depth maxChars stop stack variables name type value',
  debug_evaluate: 'expression sessionId frame timeoutMs type value isCut',
  trace_run: 'places path line symbol expressions configuration test name timeoutMs maxChars events place count values at run note',
};
const stop = 'sessionId state reason exception path line lines stack changed output exitCode';

interface Call {
  readonly tool: string;
  readonly args: JsonValue;
}

/** Every call in a text: a line of a code block, or code within a sentence, that is a tool and its arguments. */
function callsIn(text: string): readonly Call[] {
  const found = [...text.matchAll(/^(\w+) (\{.*\})$|`(\w+) (\{[^`]*\})`/gm)];
  return found.map(([, tool, args, inline, inlineArgs]) => ({
    tool: tool ?? inline ?? '',
    args: JSON.parse(args ?? inlineArgs ?? '') as JsonValue,
  }));
}

/** Words in a text that stand as code and are no calls. */
function namesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, name = '']) => name).filter((name) => !name.includes(' {'));
}

/** The names of all members in a schema, and the words that a member can be. */
function wordsOf(schema: JsonValue | undefined): readonly string[] {
  if (Array.isArray(schema)) {
    return schema.flatMap((part: JsonValue) => wordsOf(part));
  }
  if (!isJsonObject(schema)) {
    return [];
  }
  const { properties, enum: values } = schema;
  const own = [...(isJsonObject(properties) ? Object.keys(properties) : []), ...(Array.isArray(values) ? values.map(String) : [])];
  return [...own, ...Object.values(schema).flatMap((part) => wordsOf(part))];
}

function wordsOfTool(name: string): readonly string[] {
  const tool = tools.find((each) => each.name === name);
  const words =
    tool === undefined ? `${fromContract[name] ?? ''} ${stop}`.split(' ') : [tool.input, tool.output].map(wholeSchema).flatMap(wordsOf);
  return [name, ...words];
}

/** What a tool would answer to a call of the wrong form; `undefined` if the form is right. */
function problemWith({ tool: name, args }: Call): string | undefined {
  const tool = tools.find((each) => each.name === name);
  if (tool !== undefined) {
    return tool.input.safeParse(args).error?.message;
  }
  const known = fromContract[name]?.split(' ');
  const unknown = membersOf(args).filter((member) => known?.includes(member) !== true);
  return unknown.length === 0 && known !== undefined ? undefined : `${name}: ${unknown.join()}`;
}

function membersOf(value: JsonValue): readonly string[] {
  if (Array.isArray(value)) {
    return value.flatMap((part: JsonValue) => membersOf(part));
  }
  return isJsonObject(value) ? Object.entries(value).flatMap(([name, part]) => [name, ...membersOf(part ?? null)]) : [];
}

describe('Skills', () => {
  it('have these names and files', () => {
    assert.deepEqual(
      skills.map(({ name, uri }) => [name, uri]),
      ['fix-problems', 'review-changes', 'debug', 'test-first'].map((name) => [name, `skill://duplex/${name}/SKILL.md`]),
    );
  });

  it('the debugger’s tools in them are exactly those of the contract', () => {
    assert.deepEqual(new Set(skills.find(({ name }) => name === 'debug')?.tools), new Set(Object.keys(fromContract)));
  });

  for (const { name, description, tools: named, read } of skills) {
    describe(name, () => {
      let text = '';
      before(async () => {
        text = await read();
      });

      it('begins with its name and description, as plain scalars, and is short', () => {
        assert.ok(text.startsWith(`---\nname: ${name}\ndescription: ${description}\n---\n\n# `), text.slice(0, 300));
        assert.match(description, /^[A-Z][^:#"'\\\n]{40,400}\.$/);
        assert.ok(text.length < 6_000, `${text.length} characters`);
      });

      it('names tools that there are, and lists exactly those', () => {
        const inText = new Set(text.match(/\b[a-z]+(?:_[a-z]+)+\b/g));
        assert.deepEqual([...inText].toSorted(), named.toSorted());
        const offered = new Set([...tools.map((tool) => tool.name), ...Object.keys(fromContract)]);
        assert.deepEqual(
          named.filter((each) => !offered.has(each)),
          [],
        );
      });

      it('shows calls that the tools take as they stand', () => {
        const calls = callsIn(text);
        assert.ok(calls.length >= 5, `${calls.length} calls`);
        assert.deepEqual(
          calls.map(problemWith).filter((problem) => problem !== undefined),
          [],
        );
        const blocks = [...text.matchAll(/^```\n([^]*?)^```$/gm)].flatMap(([, block = '']) => block.trimEnd().split('\n'));
        assert.deepEqual(
          blocks.filter((line) => callsIn(line).length !== 1),
          [],
          'a line of a code block is a call',
        );
      });

      it('names as code only what a tool takes or answers', () => {
        const known = new Set(named.flatMap(wordsOfTool));
        assert.deepEqual(
          namesIn(text.replace(/^```\n[^]*?^```$/gm, '')).filter((word) => !known.has(word)),
          [],
        );
      });
    });
  }
});
