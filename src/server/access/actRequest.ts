import type { Role } from '../../contract/questions.ts';

/** What a client wants done, whole, as the person is shown it. */
export interface ActRequest {
  readonly tool: string;
  /** The least role for it. */
  readonly role: Role;
  readonly what:
    | { readonly kind: 'command'; readonly commandLine: string; readonly cwd: string }
    | { readonly kind: 'task'; readonly name: string; readonly definition: string }
    /** A script of the package manager or a test command: its name, what it runs, and where. */
    | { readonly kind: 'script'; readonly commandLine: string; readonly script: string; readonly cwd: string }
    | { readonly kind: 'save'; readonly path: string }
    | { readonly kind: 'codeAction'; readonly title: string; readonly path: string; readonly command: string };
  /** Whether "for this session" may be offered, for the identical `what`. */
  readonly offersSession: boolean;
}
