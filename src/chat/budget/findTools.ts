import type { ModelTool } from '../modelProvider.ts';

const maxFound = 15;
const maxWords = 20;
const maxDescription = 200;

/** Those of which name or description hold the most of the words, best first. */
export function findTools(tools: readonly ModelTool[], query: string): readonly ModelTool[] {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])].slice(0, maxWords);
  const ranked = tools.map((tool, index) => ({ tool, index, points: pointsOf(tool, words) })).filter(({ points }) => points > 0);
  ranked.sort((one, other) => other.points - one.points || one.index - other.index);
  return ranked.slice(0, maxFound).map(({ tool }) => tool);
}

function pointsOf({ tool, server, description }: ModelTool, words: readonly string[]): number {
  const [name, of, said] = [tool.toLowerCase(), server.toLowerCase(), description.toLowerCase()];
  return words.reduce(
    (sum, word) => sum + (name === word ? 8 : name.includes(word) ? 4 : 0) + (of.includes(word) ? 1 : 0) + (said.includes(word) ? 1 : 0),
    0,
  );
}

/** What the model reads. Descriptions are the servers' words: quoted, so that none of them ends its quotation. */
export function describeFound(found: readonly ModelTool[], others: number): string {
  if (found.length === 0) {
    return `No tool matches these words; ${others} tools were searched. Try other words: what the tool would do, or the name of its server.`;
  }
  const lines = found.map((tool) => `${tool.name}: ${JSON.stringify(firstOf(tool.description))}`);
  return ['These tools are listed from now on and can be called by these names. Their descriptions, quoted:', ...lines].join('\n');
}

function firstOf(description: string): string {
  const flat = description.replace(/\s+/g, ' ').trim();
  return flat.length > maxDescription ? `${flat.slice(0, maxDescription)}…` : flat;
}
