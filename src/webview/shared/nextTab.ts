/** Where a key leads from one tab; undefined for a key that leads nowhere. Pure. */
export function nextTab<View extends string>(key: string, views: readonly View[], view: View): View | undefined {
  const at = views.indexOf(view);
  const last = views.length - 1;
  const to = { ArrowRight: Math.min(last, at + 1), ArrowLeft: Math.max(0, at - 1), Home: 0, End: last }[key];
  return to === undefined ? undefined : views[to];
}
