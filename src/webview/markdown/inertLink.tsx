import type { ComponentChildren, JSX } from 'preact';
import { useContext } from 'preact/hooks';
import { PageActionsContext } from './pageActions.ts';

/** A link without `href`: nothing to prefetch, drag or navigate to. A click asks the host to open `href`. */
export function InertLink({ href, children }: { readonly href: string; readonly children: ComponentChildren }): JSX.Element {
  const actions = useContext(PageActionsContext);
  return (
    <a
      class="link"
      role="link"
      tabIndex={0}
      title={href}
      onClick={(event) => {
        event.preventDefault();
        actions.openLink(href);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.repeat) {
          event.preventDefault();
          actions.openLink(href);
        }
      }}
    >
      {children}
    </a>
  );
}
