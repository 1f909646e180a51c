import type { ComponentChildren, JSX } from 'preact';
import { useContext } from 'preact/hooks';
import type { FileReference } from '../../contract/fileReference.ts';
import { PageActionsContext } from './pageActions.ts';

/** A link without `href`: nothing to prefetch, drag or navigate to. A click asks the host to open `href`. */
export function InertLink({ href, children }: { readonly href: string; readonly children: ComponentChildren }): JSX.Element {
  const actions = useContext(PageActionsContext);
  return (
    <Link title={href} onOpen={() => actions.openLink(href)}>
      {children}
    </Link>
  );
}

/** A resource of the server itself: the host reads it there, and from nowhere else. */
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

/** A place in a file of the workspace; the host finds out whether there is such a file, and opens no other. */
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
