import type { Resource, Tab } from '../resources/resource.ts';

/** One tab of a detail as it is shown. */
export interface ShownTab {
  name: string;
  title: string;
  tab?: Tab;
}

/** The tabs of a detail: the overview, those the description names, events about it, and JSON. */
export function tabsOf(resource: Resource): readonly ShownTab[] {
  const own = (resource.tabs ?? []).map((tab) => ({ name: tab.title.toLowerCase(), title: tab.title, tab }));
  const events = resource.entity ? [{ name: 'events', title: 'Events' }] : [];
  return [{ name: 'overview', title: 'Overview' }, ...own, ...events, { name: 'json', title: 'JSON' }];
}
