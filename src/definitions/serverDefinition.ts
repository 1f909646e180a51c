import type { AppError, ErrorArguments } from '../base/errors.ts';
import type { DefinitionScope, InputDefinition, RemoteDefinition, StdioDefinition } from '../contract/definitionSchemas.ts';

export interface WorkspaceFolder {
  readonly name: string;
  readonly path: string;
}

/** The raw value of one scope, as the editor's `inspect()` gives it: never merged with another scope's. */
export interface DefinitionSource {
  readonly scope: DefinitionScope;
  /** Set for scope `folder`, and for what was discovered in a folder. */
  readonly folder?: WorkspaceFolder | undefined;
  /**
   * For scope `workspace`: what tells this workspace from every other (the path of its file or of its only folder).
   * Permissions are kept per place, so that one repository never inherits what was allowed to another.
   */
  readonly workspace?: string | undefined;
  /** For scope `remote`: what tells that machine from another. */
  readonly machine?: string | undefined;
  readonly value: unknown;
  /** The raw inputs of the same place. A definition never uses those of another. */
  readonly inputs?: unknown;
  /** For scope `discovered`: the absolute path of the file, and what people call it. */
  readonly file?: { readonly path: string; readonly name: string } | undefined;
  /** Why there is no value, when the place itself cannot be read. */
  readonly unreadable?: AppError | undefined;
  /** Where it stands, in words: "workspace settings". */
  readonly location: string;
}

interface CommonDefinition {
  /** Scope, place and name: what permissions are bound to. */
  readonly id: string;
  /** As configured, in the one spelling of all that look the same. */
  readonly name: string;
  /**
   * The name if it is the only one of its kind, else `name@user`, `name@remote`, `name@workspace`, `name@FOLDER` or `name@FILE`;
   * for people, with nothing disguised.
   */
  readonly label: string;
  readonly scope: DefinitionScope;
  readonly folder: WorkspaceFolder | undefined;
  readonly location: string;
  /** For scope `discovered`: what people call the file. */
  readonly file?: string | undefined;
  /** For scope `discovered`: the absolute path of the file. */
  readonly path?: string | undefined;
  /** Those inputs of its own place that it uses. */
  readonly inputs: readonly InputDefinition[];
}

export type ServerDefinition =
  | (CommonDefinition & { readonly kind: 'stdio'; readonly raw: StdioDefinition })
  | (CommonDefinition & { readonly kind: 'remote'; readonly raw: RemoteDefinition });

export type LocalDefinition = Extract<ServerDefinition, { kind: 'stdio' }>;
export type RemoteServerDefinition = Extract<ServerDefinition, { kind: 'remote' }>;

export interface DefinitionProblem {
  /** An `error` means that the server cannot be used; a `warning`, that a part of its definition is not. */
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly args: ErrorArguments;
  /** The sentence in English, for logs; views translate by code. */
  readonly message: string;
  readonly scope: DefinitionScope;
  readonly folder: WorkspaceFolder | undefined;
  readonly location: string;
  /** Undefined when the whole value is meant. */
  readonly server: string | undefined;
  /** The path inside the definition: `['env', 'TOKEN']`. */
  readonly path: readonly (string | number)[];
}

export interface DefinitionReading {
  readonly definitions: readonly ServerDefinition[];
  readonly problems: readonly DefinitionProblem[];
}
