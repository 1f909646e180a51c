import { childrenOf, nodeId, type ClientNode } from './clientNodes.ts';

/** The same object as long as it stands for the same client: of another one VS Code forgets whose button was pressed. */
export interface ClientRow {
  readonly id: string;
  node: ClientNode;
  readonly children: ClientRow[];
}

/** The rows of the tree, mended rather than made anew while calls come in. */
export class ClientRows {
  #roots: readonly ClientRow[] = [];
  #byId = new Map<string, ClientRow>();
  #outline = '';

  get roots(): readonly ClientRow[] {
    return this.#roots;
  }

  /** Returns the rows that say something else now; `undefined` when some came, went or moved. */
  update(nodes: readonly ClientNode[]): readonly ClientRow[] | undefined {
    const rows = new Map<string, ClientRow>();
    const changed: ClientRow[] = [];
    const rowOf = (node: ClientNode): ClientRow => {
      const id = nodeId(node);
      const row = this.#byId.get(id) ?? { id, node, children: [] };
      if (wordsOf(row.node) !== wordsOf(node)) {
        changed.push(row);
      }
      row.node = node;
      row.children.splice(0, Infinity, ...childrenOf(node).map(rowOf));
      rows.set(id, row);
      return row;
    };
    this.#roots = nodes.map(rowOf);
    this.#byId = rows;
    const outline = JSON.stringify(this.#roots.map(({ id, children }) => [id, children.map((child) => child.id)]));
    const isSameOutline = outline === this.#outline;
    this.#outline = outline;
    return isSameOutline ? changed : undefined;
  }
}

/** All that a row says. Of a credential not what its sessions do: to draw it is to draw them anew, too. */
function wordsOf(node: ClientNode): string {
  if (node.kind !== 'credential') {
    return JSON.stringify(node);
  }
  const [{ label, credentialKind, credentialId, approval, role }] = node.clients;
  return JSON.stringify([label, credentialKind, credentialId, approval, role]);
}

/** What a row's button hands to its command; anything else is taken for nothing. */
export function isClientRow(argument: unknown): argument is ClientRow {
  return typeof argument === 'object' && argument !== null && 'node' in argument && 'children' in argument && 'id' in argument;
}
