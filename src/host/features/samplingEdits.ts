import { isJsonObject, type JsonObject } from '../../base/json.ts';
import type { SamplingEdit } from '../../contract/questions/samplingQuestions.ts';
import type { SamplingAnswer, SamplingContent, SamplingMessage, SamplingRequest, SamplingTool } from '../../contract/sampling.ts';

// What the person made of a request for the model, or of its answer. A page decides nothing: what does not fit what was shown
// is refused whole.

type Content = SamplingContent | SamplingAnswer['content'][number];
type Edited = Pick<SamplingRequest, 'systemPrompt' | 'messages' | 'stopSequences' | 'tools' | 'toolChoice'>;

/** Undefined when it does not fit, or when nothing is left of it. */
export function editRequest(request: SamplingRequest, edit: SamplingEdit): Edited | undefined {
  const messages = editMessages(request.messages, edit);
  const stopSequences = editStopSequences(request.stopSequences, edit.stopSequences);
  const tools = editTools(request.tools, edit.tools);
  if (messages === undefined || messages.length === 0 || stopSequences === undefined || tools === undefined) {
    return undefined;
  }
  const { systemPrompt = request.systemPrompt } = edit;
  return { systemPrompt, messages, stopSequences, tools, toolChoice: tools.length === 0 ? undefined : request.toolChoice };
}

function editMessages(messages: readonly SamplingMessage[], edit: SamplingEdit): readonly SamplingMessage[] | undefined {
  const { texts, leftOutImages } = edit;
  if (texts === undefined && leftOutImages === undefined) {
    return messages;
  }
  const edits = new Edits(texts, leftOutImages);
  const edited = messages.map(({ role, content }) => ({ role, content: edits.apply(content) }));
  return edits.areAllUsed ? edited.filter(({ content }) => content.length > 0) : undefined;
}

export function editContent(content: SamplingAnswer['content'], texts: SamplingEdit['texts']): SamplingAnswer['content'] | undefined {
  if (texts === undefined) {
    return content;
  }
  const edits = new Edits(texts);
  const edited = edits.apply(content.length === 0 ? [{ type: 'text', text: '' }] : content);
  return edits.areAllUsed ? edited : undefined;
}

/** One that was emptied is left out. */
function editStopSequences(all: readonly string[], edits: SamplingEdit['stopSequences']): readonly string[] | undefined {
  if (edits === undefined) {
    return all;
  }
  return edits.length === all.length ? all.map((text, index) => edits[index] ?? text).filter((text) => text !== '') : undefined;
}

function editTools(tools: readonly SamplingTool[], edits: SamplingEdit['tools']): readonly SamplingTool[] | undefined {
  if (edits === undefined) {
    return tools;
  }
  const edited = tools.flatMap((tool, index): readonly (SamplingTool | undefined)[] => {
    const { isLeftOut = false, description = tool.description, inputSchema } = edits[index] ?? {};
    const schema = inputSchema === undefined ? tool.inputSchema : parseObject(inputSchema);
    return isLeftOut ? [] : [schema && { ...tool, description, inputSchema: schema }];
  });
  const fitting = edited.filter((tool) => tool !== undefined);
  return edits.length === tools.length && fitting.length === edited.length ? fitting : undefined;
}

/** Changed texts and images that stay behind, in the order in which they were shown. */
class Edits {
  readonly #left: (string | null)[] | undefined;
  readonly #leftOutImages: Set<number>;
  #isFitting = true;
  #images = 0;

  constructor(texts: SamplingEdit['texts'], leftOutImages: readonly number[] = []) {
    this.#left = texts && [...texts];
    this.#leftOutImages = new Set(leftOutImages);
  }

  get areAllUsed(): boolean {
    return this.#isFitting && (this.#left ?? []).length === 0 && [...this.#leftOutImages].every((image) => image < this.#images);
  }

  /** A text that was emptied is left out: models take none. */
  apply<Block extends Content>(content: readonly Block[]): Block[] {
    return content.flatMap((block) => {
      const edited = this.#edit(block);
      return this.#isKept(edited) ? [edited] : [];
    });
  }

  #isKept(block: Content): boolean {
    return block.type === 'image' ? !this.#leftOutImages.has(this.#images++) : block.type !== 'text' || block.text.trim() !== '';
  }

  #edit<Block extends Content>(block: Block): Block {
    switch (block.type) {
      case 'text': {
        const text = this.#next();
        return text === null ? block : { ...block, text };
      }
      case 'toolUse': {
        const text = this.#next();
        return text === null ? block : { ...block, input: this.#parse(text) };
      }
      case 'toolResult':
        return { ...block, content: this.apply(block.content) };
      case 'image':
      case 'audio':
        return block;
    }
  }

  #next(): string | null {
    if (this.#left === undefined) {
      return null;
    }
    const text = this.#left.shift();
    this.#isFitting &&= text !== undefined;
    return text ?? null;
  }

  #parse(text: string): JsonObject {
    const value = parseObject(text);
    this.#isFitting &&= value !== undefined;
    return value ?? {};
  }
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
