import { createContext } from 'preact';
import { useMemo, useState } from 'preact/hooks';

/** What the person is doing with what was said: at most one message is being edited, and it keeps its words while it is out of view. */
export interface Acting {
  /** Nothing is written anew while an answer runs. */
  readonly isRunning: boolean;
  readonly edited: EditedMessage | undefined;
  /** `from`: where the focus goes when it is given up. */
  readonly beginEdit: (itemId: string, text: string, from: () => HTMLElement | null) => void;
  readonly setText: (text: string) => void;
  readonly endEdit: () => void;
}

export interface EditedMessage {
  readonly itemId: string;
  readonly text: string;
  readonly from: () => HTMLElement | null;
}

export const ActingContext = createContext<Acting>({
  isRunning: false,
  edited: undefined,
  beginEdit: () => {},
  setText: () => {},
  endEdit: () => {},
});

export function useActing(isRunning: boolean): Acting {
  const [edited, setEdited] = useState<EditedMessage>();
  return useMemo(
    () => ({
      isRunning,
      edited,
      beginEdit: (itemId, text, from) => setEdited({ itemId, text, from }),
      setText: (text) => setEdited((now) => (now === undefined ? now : { ...now, text })),
      endEdit: () => setEdited(undefined),
    }),
    [isRunning, edited],
  );
}
