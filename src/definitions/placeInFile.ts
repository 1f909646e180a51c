import { findNodeAtLocation, parseTree } from 'jsonc-parser/lib/esm/main.js';

/** Where the files that Duplex reads keep their servers. */
const ways: readonly (readonly string[])[] = [
  ['duplex.mcpServers'],
  ['duplex.mcpServers', 'mcpServers'],
  ['settings', 'duplex.mcpServers'],
  ['settings', 'duplex.mcpServers', 'mcpServers'],
  ['servers'],
  ['mcpServers'],
];

export interface TextPlace {
  readonly offset: number;
  readonly length: number;
}

/** The definition of that name, with its name; undefined when the text has none. */
export function placeInFile(text: string, name: string): TextPlace | undefined {
  const root = parseTree(text, [], { allowTrailingComma: true });
  const servers = ways.flatMap((way) => (root && findNodeAtLocation(root, [...way])) ?? []);
  const member = servers
    .flatMap((node) => node.children ?? [])
    .find(({ children }) => String(children?.[0]?.value).normalize('NFKC').trim() === name);
  return member && { offset: member.offset, length: member.length };
}
