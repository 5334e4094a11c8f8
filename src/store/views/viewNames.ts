import { resourceCalled } from '../../resources/index.ts';

/** Words of the command line and of the palette that name something else. */
const taken: ReadonlySet<string> = new Set([
  ...['home', 'fleet', 'problems', 'requests', 'activity', 'managed', 'accounts', 'views'],
  ...[
    'watch',
    'snapshot',
    'export',
    'doctor',
    'demo-api',
    'config',
    'completion',
    'ssh',
    'plan',
    'cache',
    'help',
    'version',
  ],
  ...['save', 'forget', 'profile', 'reload', 'theme', 'notify'],
]);

/** Says why a view cannot be called that, as the end of a sentence; undefined where it can. */
export function wrongName(name: string): string | undefined {
  if (!/^[A-Za-z0-9][\w-]{0,39}$/.test(name))
    return 'is no name of a view: it takes letters, digits, - and _, at most 40, the first a letter or digit';
  const area = resourceCalled(name);
  if (area) return `is the name of an area, ${area.many}; choose another`;
  return taken.has(name.toLowerCase()) ? 'is a word of the command line or the palette; choose another' : undefined;
}
