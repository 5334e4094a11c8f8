import { resourceNamed } from '../resources/index.ts';
import type { Resource, Tab } from '../resources/resource.ts';

/** One tab of a detail; `tab` is undefined for overview, history and JSON. */
export interface ShownTab {
  name: string;
  title: string;
  tab?: Tab;
}

/** The tabs of a detail: overview, those of the description, history, and JSON. */
export function tabsOf(resource: Resource): readonly ShownTab[] {
  const described = (resource.tabs ?? []).map((tab) => ({ name: tab.title.toLowerCase(), title: tab.title, tab }));
  const history = resource.local ? [] : [{ name: 'history', title: 'History' }];
  return [{ name: 'overview', title: 'Overview' }, ...described, ...history, { name: 'json', title: 'JSON' }];
}

/** The tab of the parent that lists the rows of a resource. */
export const tabWith = ({ name, under }: Resource): string | undefined =>
  under &&
  tabsOf(resourceNamed(under)).find(({ tab, name: title }) => tab && ('list' in tab ? tab.list : title) === name)?.name;
