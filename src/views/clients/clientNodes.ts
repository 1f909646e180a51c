import type { ClientEntry } from '../../server/protocol/clientRegistry.ts';

/** A credential that the person has given out. */
export interface KnownClient {
  readonly credentialId: string;
  readonly credentialKind: 'clientToken' | 'oauth';
  /** The name under which the person knows it. */
  readonly label: string | undefined;
}

export type ClientNode =
  /** One session, or all requests without a session of one credential. */
  | { readonly kind: 'client'; readonly client: ClientEntry; readonly isAlone: boolean }
  /** A credential with several sessions. */
  | { readonly kind: 'credential'; readonly clients: readonly [ClientEntry, ...ClientEntry[]] }
  /** A credential that is valid and not connected. */
  | { readonly kind: 'known'; readonly known: KnownClient };

/** Says that new programs cannot ask to sign in for a while, and ends that by a click. */
export interface PauseNode {
  readonly kind: 'pause';
  /** When the pause ends, in milliseconds since 1970. */
  readonly until: number;
}

/** The client that a command is about. */
export interface ClientTarget extends Pick<ClientEntry, 'credentialId' | 'credentialKind' | 'sessionId' | 'isStateless'> {
  readonly role: ClientEntry['role'];
}

/**
 * Makes a node for each credential: a single session is the node itself, several stand below it. Credentials that are not
 * connected come last.
 */
export function clientNodes(clients: readonly ClientEntry[], known: readonly KnownClient[]): ClientNode[] {
  const byCredential = new Map<string, [ClientEntry, ...ClientEntry[]]>();
  for (const client of clients) {
    const others = byCredential.get(client.credentialId);
    if (others === undefined) {
      byCredential.set(client.credentialId, [client]);
    } else {
      others.push(client);
    }
  }
  const connected = [...byCredential.values()].map((group): ClientNode =>
    group.length === 1 ? { kind: 'client', client: group[0], isAlone: true } : { kind: 'credential', clients: group },
  );
  const away = known.filter(({ credentialId }) => !byCredential.has(credentialId));
  return [...connected, ...away.map((each): ClientNode => ({ kind: 'known', known: each }))];
}

export function childrenOf(node: ClientNode | PauseNode): ClientNode[] {
  return node.kind === 'credential' ? node.clients.map((client) => ({ kind: 'client', client, isAlone: false })) : [];
}

export function nodeId(node: ClientNode | PauseNode): string {
  switch (node.kind) {
    case 'client':
      return node.client.sessionId;
    case 'credential':
      return `credential:${node.clients[0].credentialId}`;
    case 'known':
      return `known:${node.known.credentialId}`;
    case 'pause':
      return 'pause';
  }
}

export type ClientAbility = 'roleable' | 'accessible' | 'revocable';

/**
 * What the person can change of a client. Each session of the window token has a role and access of its own, but requests of it
 * without a session have no access that could be given; every other credential has one role and one access for all its sessions.
 */
export function abilitiesOf(node: ClientNode): readonly ClientAbility[] {
  const isWhole = node.kind !== 'client' || node.isAlone;
  const revocable: readonly ClientAbility[] = isWhole ? ['revocable'] : [];
  if (clientTargetOf(node).credentialKind !== 'windowToken') {
    return isWhole ? ['roleable', 'accessible', 'revocable'] : [];
  }
  if (node.kind === 'credential') {
    return revocable;
  }
  return clientTargetOf(node).isStateless ? ['roleable', ...revocable] : ['roleable', 'accessible', ...revocable];
}

export function clientTargetOf(node: ClientNode): ClientTarget {
  switch (node.kind) {
    case 'client':
      return node.client;
    case 'credential':
      return node.clients[0];
    case 'known':
      return { ...node.known, sessionId: '', isStateless: true, role: undefined };
  }
}

/**
 * A row of the tree. It stays the same object as long as it stands for the same client: otherwise VS Code forgets whose button
 * was pressed.
 */
export interface ClientRow {
  readonly id: string;
  node: ClientNode | PauseNode;
  readonly children: ClientRow[];
}

/** Keeps the rows of the tree, and changes them in place while calls come in. */
export class ClientRows {
  #roots: readonly ClientRow[] = [];
  #byId = new Map<string, ClientRow>();
  #outline = '';

  get roots(): readonly ClientRow[] {
    return this.#roots;
  }

  /** Returns the rows whose text changed; `undefined` when rows came, went or moved. */
  update(nodes: readonly (ClientNode | PauseNode)[]): readonly ClientRow[] | undefined {
    const rows = new Map<string, ClientRow>();
    const changed: ClientRow[] = [];
    const rowOf = (node: ClientNode | PauseNode): ClientRow => {
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

/**
 * Everything that a row says, as one text to compare. For a credential that excludes what its sessions do, because drawing its
 * row anew draws theirs, too.
 */
function wordsOf(node: ClientNode | PauseNode): string {
  if (node.kind !== 'credential') {
    return JSON.stringify(node);
  }
  const [{ label, credentialKind, credentialId, approval, role }] = node.clients;
  return JSON.stringify([label, credentialKind, credentialId, approval, role]);
}

/** Whether the argument of a command is a row of this tree. */
export function isClientRow(argument: unknown): argument is ClientRow {
  return typeof argument === 'object' && argument !== null && 'node' in argument && 'children' in argument && 'id' in argument;
}
