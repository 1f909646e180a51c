import { revealInvisible } from '../../base/visibleText.ts';
import type { GuideTexts } from './guideTexts.ts';

export const maxListed = 12;

/** Names and texts of servers stand in Markdown as they are: nothing hidden, and nothing that ends a code span. */
export function plain(text: string): string {
  return revealInvisible(text).replace(/[`\n]/g, ' ');
}

export function code(text: string): string {
  return `\`${plain(text)}\``;
}

export function block(text: string): string {
  return `\`\`\`text\n${plain(text)}\n\`\`\``;
}

/** Examples to write, no more than a person looks through. */
export function boundedList<T>(things: readonly T[], exampleOf: (thing: T) => string, say: GuideTexts): string {
  const left = things.length - maxListed;
  const lines = things.slice(0, maxListed).map((thing) => `- ${code(exampleOf(thing))}`);
  return [...lines, ...(left > 0 ? [`- ${say('listMore', { count: left })}`] : [])].join('\n');
}

export function quote(text: string): string {
  const short = text.length > 600 ? `${text.slice(0, 600)} …` : text;
  return `\`\`\`text\n${revealInvisible(short).replaceAll('```', "'''")}\n\`\`\``;
}

export function summary(description: string): string {
  const [first = ''] = revealInvisible(description).trim().split('\n');
  const short = first.length > 100 ? `${first.slice(0, 100)}…` : first;
  return short === '' ? '' : `– ${short.replace(/[[\]<>*_`]/g, '')}`;
}

export function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
