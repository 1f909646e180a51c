import { Component, createElement, type ComponentChildren, type FunctionComponent } from 'preact';

/** Draws again only when a property is another one: what has finished streaming keeps its DOM. */
export function pure<P extends object>(
  draw: FunctionComponent<P>,
  isSame: (before: P, after: P) => boolean = hasSameProperties,
): FunctionComponent<P> {
  class Pure extends Component<P> {
    override shouldComponentUpdate(next: Readonly<P>): boolean {
      return !isSame(this.props, next);
    }

    override render(): ComponentChildren {
      return createElement(draw, this.props);
    }
  }
  return (props) => createElement(Pure, props);
}

function hasSameProperties<P extends object>(before: P, after: P): boolean {
  const [one, other] = [Object.entries(before), new Map(Object.entries(after))];
  return one.length === other.size && one.every(([name, value]) => other.has(name) && Object.is(value, other.get(name)));
}
