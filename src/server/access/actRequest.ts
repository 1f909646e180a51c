import type { RunChain } from '../../testRuns/chain/runChain.ts';
import type { Role } from '../../contract/questions/role.ts';

/** What a client wants done, whole, as the person is shown it. */
export interface ActRequest {
  readonly tool: string;
  /** The least role for it. */
  readonly role: Role;
  readonly what:
    | { readonly kind: 'command'; readonly commandLine: string; readonly cwd: string }
    | { readonly kind: 'task'; readonly name: string; readonly definition: string; readonly chain: RunChain }
    /** A test command: all that runs with it, and where. One that is a task has a definition. */
    | {
        readonly kind: 'script';
        readonly commandLine: string;
        readonly definition?: string | undefined;
        readonly chain: RunChain;
        readonly cwd: string;
      }
    | { readonly kind: 'save'; readonly path: string }
    | { readonly kind: 'codeAction'; readonly title: string; readonly path: string; readonly command: string };
  /** Whether "for this session" may be offered: for the identical `what`, and for saving whatever the file. */
  readonly offersSession: boolean;
  /** Files whose unsaved text a run would not see, as the person knows them: they can have them saved first. No part of the act. */
  readonly unsaved?: readonly string[] | undefined;
}

/** How the person allowed it: as it is, or after these files are saved, which are those that the question named. */
export type ActPermission = 'asItIs' | { readonly afterSaving: readonly string[] };
