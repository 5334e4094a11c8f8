import type { Configuration, Reread } from '../../config/configuration.ts';
import { counted } from '../../text/words.ts';
import type { Stores } from '../stores.ts';

/** An account whose configuration can be read again. */
type Reloading = Pick<Stores, 'configuration' | 'notices' | 'reread'>;

/**
 * Reads the configuration of every open account again, and takes over what is different. A mistake that would refuse the
 * start leaves what runs as it is. The notices are those of the account on the screen.
 * @param added says what was added to the commands before: a sentence without its full stop
 */
export async function reload(current: Reloading, others: readonly Reloading[], added?: string): Promise<void> {
  const reread = await current.reread?.();
  if (!reread) return;
  tell(current, reread, reread.configuration && takeOver(current, reread.configuration), added);
  for (const stores of others) {
    const { configuration } = (await stores.reread?.()) ?? {};
    if (configuration) takeOver(stores, configuration);
  }
}

/** Takes over the parts that are different; returns their names. */
function takeOver({ configuration }: Reloading, next: Configuration): readonly string[] {
  const before = configuration.getState();
  const names = (Object.keys({ ...before, ...next }) as (keyof Configuration)[]).filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(next[name]),
  );
  // The other parts stay the objects that they are, so that nothing is drawn anew for them.
  const parts = Object.fromEntries(names.map((name) => [name, next[name]]));
  const { brokenViews } = next;
  if (names.length > 0 || brokenViews !== before.brokenViews) configuration.setState({ ...parts, brokenViews });
  return names;
}

/** Whether several things are named, or one that is several itself, such as `keys`. */
const isPlural = ([name = '', ...others]: readonly string[]): boolean => others.length > 0 || name.endsWith('s');

function tell({ notices }: Reloading, read: Reread, applied?: readonly string[], added?: string): void {
  const { file, mistakes, later } = read;
  if (!applied) {
    const [first = '', ...rest] = mistakes;
    notices.say('bad', `${first} The configuration that runs stays as it is.`);
    for (const text of rest) notices.add({ tone: 'bad', text });
    return;
  }
  const parts = [
    ...(applied.length > 0 ? [`${applied.join(', ')} ${isPlural(applied) ? 'apply' : 'applies'} now`] : []),
    ...(later.length > 0 ? [`${later.join(', ')} ${isPlural(later) ? 'count' : 'counts'} from the next start`] : []),
  ];
  const isAll = added !== undefined && later.length === 0 && applied.every((part) => part === 'commands');
  const again = `${file} is read again: ${parts.join('; ') || 'nothing is different'}`;
  const says = isAll ? added : [added, again].filter(Boolean).join('. ');
  const leftOut = `Left out: ${counted(mistakes.length, 'part')} with a mistake; the journal says which.`;
  if (mistakes.length === 0) notices.say('good', `${says}.`);
  else notices.say('warn', `${says}. ${leftOut}`);
  for (const text of mistakes) notices.add({ tone: 'bad', text: `${text} It is left out.` });
}
