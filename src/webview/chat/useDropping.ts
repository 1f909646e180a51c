import { useEffect, useRef, useState } from 'preact/hooks';

/** What may be a file, as far as one can tell before it is dropped. */
const takenTypes: ReadonlySet<string> = new Set(['Files', 'application/vnd.code.uri-list', 'text/uri-list']);

/**
 * Files that are dropped anywhere on the page are for the message: who drags one over a conversation means the chat, and not the
 * box below it. True while something to be taken is held over the page.
 */
export function useDropping(take: (data: DataTransfer | null) => boolean): boolean {
  const [isHeld, setHeld] = useState(false);
  const taker = useRef(take);
  taker.current = take;
  useEffect(() => {
    const over = (event: DragEvent): void => {
      if (event.dataTransfer?.types.some((type) => takenTypes.has(type)) === true) {
        event.preventDefault();
        setHeld(true);
      }
    };
    const leave = (event: DragEvent): void => {
      if (event.relatedTarget === null) {
        setHeld(false);
      }
    };
    const drop = (event: DragEvent): void => {
      setHeld(false);
      if (taker.current(event.dataTransfer)) {
        event.preventDefault();
      }
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
    return () => {
      document.removeEventListener('dragover', over);
      document.removeEventListener('dragleave', leave);
      document.removeEventListener('drop', drop);
    };
  }, []);
  return isHeld;
}
