import type { SamplingAnswer, TextContent, ToolUseContent } from '../../contract/sampling.ts';

type WireText = { readonly type: 'text'; readonly text: string };
type WireContent =
  | WireText
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: Record<string, unknown> };

/** What a server gets, in the protocol's words. */
export interface SamplingResult {
  readonly role: 'assistant';
  readonly content: WireContent | WireContent[];
  readonly model: string;
  readonly stopReason: string;
}

/** Only whoever sent tools takes several pieces; for others all texts are one. */
export function toSamplingResult({ content, model, stopReason }: SamplingAnswer, hasTools: boolean): SamplingResult {
  const common = { role: 'assistant', model, stopReason } as const;
  if (!hasTools) {
    const text = content.flatMap((block) => (block.type === 'text' ? [block.text] : [])).join('');
    return { ...common, content: { type: 'text', text } };
  }
  const blocks = content.map(toWire);
  return { ...common, content: blocks.length === 0 ? { type: 'text', text: '' } : blocks };
}

function toWire(block: TextContent | ToolUseContent): WireContent {
  return block.type === 'text'
    ? { type: 'text', text: block.text }
    : { type: 'tool_use', id: block.id, name: block.name, input: { ...block.input } };
}
