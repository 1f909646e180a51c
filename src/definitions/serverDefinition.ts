import type { AppError, ErrorArguments } from '../base/errors.ts';
import type { DefinitionScope, InputDefinition, RemoteDefinition, StdioDefinition } from '../contract/definitionSchemas.ts';

export interface WorkspaceFolder {
  readonly name: string;
  readonly path: string;
}

/** The raw value of one scope, as the editor's `inspect()` gives it. It is never merged with the value of another scope. */
export interface DefinitionSource {
  readonly scope: DefinitionScope;
  /** The folder of a definition with scope `folder`, or of a file that was found in one. */
  readonly folder?: WorkspaceFolder | undefined;
  /**
   * For scope `workspace`: what tells this workspace from every other (the path of its file or of its only folder).
   * Permissions are kept per place, so that one repository never inherits what was allowed to another.
   */
  readonly workspace?: string | undefined;
  /** For scope `remote`: what tells that machine from every other. */
  readonly machine?: string | undefined;
  readonly value: unknown;
  /** The raw inputs of the same source. A definition never uses those of another. */
  readonly inputs?: unknown;
  /** For scope `discovered`: the absolute path of the file, and the name that people use for it. */
  readonly file?: { readonly path: string; readonly name: string } | undefined;
  /** Why the source itself cannot be read; it then has no value. */
  readonly unreadable?: AppError | undefined;
  /** Where the source is, in words: "workspace settings". */
  readonly location: string;
}

interface CommonDefinition {
  /** The id is made of scope, place and name. Permissions are bound to it. */
  readonly id: string;
  /** The configured name in a normal form: spellings that look the same are the same name. */
  readonly name: string;
  /**
   * The unique name for people: the name itself if no other server has it, else `name@user`, `name@remote`,
   * `name@workspace`, `name@FOLDER` or `name@FILE`. Nothing in it is hidden or disguised.
   */
  readonly label: string;
  readonly scope: DefinitionScope;
  readonly folder: WorkspaceFolder | undefined;
  readonly location: string;
  /** For scope `discovered`: the name that people use for the file. */
  readonly file?: string | undefined;
  /** For scope `discovered`: the absolute path of the file. */
  readonly path?: string | undefined;
  /** The inputs of its own source that it uses. */
  readonly inputs: readonly InputDefinition[];
}

export type ServerDefinition =
  | (CommonDefinition & { readonly kind: 'stdio'; readonly raw: StdioDefinition })
  | (CommonDefinition & { readonly kind: 'remote'; readonly raw: RemoteDefinition });

export type LocalDefinition = Extract<ServerDefinition, { kind: 'stdio' }>;
export type RemoteServerDefinition = Extract<ServerDefinition, { kind: 'remote' }>;

export interface DefinitionProblem {
  /** An `error` means that the server cannot be used; a `warning`, that a part of its definition is not used. */
  readonly severity: 'error' | 'warning';
  readonly code: string;
  readonly args: ErrorArguments;
  /** The sentence in English, for logs; views translate by code. */
  readonly message: string;
  readonly scope: DefinitionScope;
  readonly folder: WorkspaceFolder | undefined;
  readonly location: string;
  /** The name of the server; undefined when the problem concerns the whole source. */
  readonly server: string | undefined;
  /** The path inside the definition: `['env', 'TOKEN']`. */
  readonly path: readonly (string | number)[];
}

export interface DefinitionReading {
  readonly definitions: readonly ServerDefinition[];
  readonly problems: readonly DefinitionProblem[];
}
