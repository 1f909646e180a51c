import type { Event } from '../../../base/events.ts';
import type { EditorPort } from '../../seen/ports/editorPort.ts';

/** Changes of something as a client may see it, also after a person lifted something for it or took that back. */
export type ViewChanges = (changes: (editor: EditorPort) => Event<void>) => Event<void>;

export function followingGrants(view: () => EditorPort, onDidChangeGrants: Event<void> | undefined): ViewChanges {
  return (changes) => (listener) => {
    let seen = view();
    let inner = changes(seen)(listener);
    const grants = onDidChangeGrants?.(() => {
      const now = view();
      if (now !== seen) {
        seen = now;
        inner.dispose();
        inner = changes(now)(listener);
        listener();
      }
    });
    return {
      dispose: () => {
        grants?.dispose();
        inner.dispose();
      },
    };
  };
}
