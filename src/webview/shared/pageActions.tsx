import { type ComponentChildren, createContext, type JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { FileReference } from '../../contract/chat/chatMessages.ts';

/** What a person can ask for inside shown text. Each is a message to the host; the page itself opens and copies nothing. */
export interface PageActions {
  openLink(href: string): void;
  /** Opens a resource of the server whose result is shown; undefined on a page that cannot. */
  readonly openResource?: ((uri: string) => void) | undefined;
  openFile(reference: FileReference): void;
  copyCode(text: string): void;
  insertCode(text: string): void;
  /** `path` is the file that the block or the text above it names. */
  applyCode(itemId: string, text: string, path: string | undefined): void;
  runCode(itemId: string, text: string): void;
}

/** The id of the answer that a text is part of, once it is finished: what a person does with its code is recorded below that answer. */
export const AnswerContext = createContext<string | undefined>(undefined);

export const PageActionsContext = createContext<PageActions>({
  openLink: () => {},
  openFile: () => {},
  copyCode: () => {},
  insertCode: () => {},
  applyCode: () => {},
  runCode: () => {},
});

/** Asks the host to open the server definition that a question is about; each page provides it. */
export const ShowDefinitionContext = createContext<(askId: string) => void>(() => undefined);

/** A link without `href`: nothing to prefetch, drag or navigate to. A click asks the host to open `href`. */
export function InertLink({ href, children }: { readonly href: string; readonly children: ComponentChildren }): JSX.Element {
  const actions = useContext(PageActionsContext);
  return (
    <Link title={href} onOpen={() => actions.openLink(href)}>
      {children}
    </Link>
  );
}

/** A link to a resource of the server itself: the host reads it there, and from nowhere else. */
export function ResourceLink({ uri, children }: { readonly uri: string; readonly children: ComponentChildren }): JSX.Element {
  const { openResource } = useContext(PageActionsContext);
  return openResource === undefined ? (
    <>{children}</>
  ) : (
    <Link title={uri} onOpen={() => openResource(uri)}>
      {children}
    </Link>
  );
}

/** A link to a place in a file of the workspace; the host finds out whether there is such a file, and opens no other. */
export function FileLink({
  reference,
  children,
}: {
  readonly reference: FileReference;
  readonly children: ComponentChildren;
}): JSX.Element {
  const actions = useContext(PageActionsContext);
  const { path, line } = reference;
  return (
    <Link title={line === undefined ? path : `${path}:${line}`} onOpen={() => actions.openFile(reference)}>
      {children}
    </Link>
  );
}

interface LinkProps {
  readonly title: string;
  readonly onOpen: () => void;
  readonly children: ComponentChildren;
}

function Link({ title, onOpen, children }: LinkProps): JSX.Element {
  return (
    <a
      class="link"
      role="link"
      tabIndex={0}
      title={title}
      onClick={(event) => {
        event.preventDefault();
        onOpen();
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.repeat) {
          event.preventDefault();
          onOpen();
        }
      }}
    >
      {children}
    </a>
  );
}
