import type * as vscode from 'vscode';

/** All hovers as one Markdown text. */
export function hoverText(hovers: readonly vscode.Hover[]): string {
  return hovers
    .flatMap((hover) => hover.contents)
    .map(toMarkdown)
    .filter((part) => part.trim() !== '')
    .join('\n\n---\n\n');
}

/** Older providers answer with a string, or with code in a language. */
function toMarkdown(content: vscode.Hover['contents'][number]): string {
  if (typeof content === 'string') {
    return content;
  }
  const { value, language } = content as { readonly value: string; readonly language?: string };
  return language === undefined ? value : `\`\`\`${language}\n${value}\n\`\`\``;
}
