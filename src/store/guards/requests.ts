import { multiSegmentParams, parameterIn } from '../../api/address.ts';
import { idIn } from '../../resources/identity.ts';
import { describedActions, resources } from '../../resources/index.ts';
import type { Action, Operation, Params, Resource } from '../../resources/resource.ts';
import type { Subject } from './concern.ts';

interface Described {
  resource: Resource;
  action: Action;
  pattern: RegExp;
  /** The parameters in the order of their groups. */
  names: readonly string[];
}

let described: readonly Described[] | undefined;

const describedChanges = (): readonly Described[] => {
  described ??= resources.flatMap((resource) =>
    describedActions(resource)
      .filter(({ method, path }) => method !== 'GET' && path !== '')
      .map((action) => {
        const segments = action.path.split('/');
        const names = segments.flatMap((segment) => parameterIn(segment) ?? []);
        const parts = segments.map((segment) => {
          const name = parameterIn(segment);
          if (name === undefined) return segment.replace(/\W/g, '\\$&');
          return multiSegmentParams.has(name) ? '([^/]+(?:/[^/]+)?)' : '([^/]+)';
        });
        return { resource, action, names, pattern: new RegExp(`^${parts.join('/')}$`) };
      }),
  );
  return described;
};

/**
 * The change itself, and those of the descriptions that are the same request: what a command of the user's own sends is
 * guarded by what it does, whatever it is called, and so is what an action sends before its own request.
 * @param documented translates a path into the words of the documents
 */
export function sameRequests(subject: Subject, documented: (path: string) => string): readonly Subject[] {
  const { resource, action, params, row } = subject;
  const { first, method, path = '', fills, harmless } = action;
  const isOwn = path !== '' && !describedActions(resource).some(({ name }) => name === action.name);
  const sent: readonly Partial<Operation>[] = [
    ...(isOwn && !harmless && method !== 'GET' ? [action] : []),
    ...(first ? [first] : []),
  ];
  if (sent.length === 0) return [subject];
  const all = row && fills ? { ...params, ...fills(row, params) } : params;
  const pathOf = ({ path = '' }: Partial<Operation>) => documented(filled(path, all));
  return [subject, ...sent.flatMap((one) => describedAs(subject, one.method, pathOf(one)))];
}

/** The changes of the descriptions that send this to a path in the words of the documents. */
function describedAs(subject: Subject, method: Operation['method'] | undefined, wanted: string): readonly Subject[] {
  const { resource: own, params: ownParams, row, body } = subject;
  return describedChanges().flatMap(({ resource, action, pattern, names }): readonly Subject[] => {
    const found = action.method === method ? pattern.exec(wanted) : null;
    if (!found) return [];
    const params = Object.fromEntries(
      names.flatMap((name, index) => {
        const value = decodeURIComponent(found[index + 1] ?? '');
        return parameterIn(value) === undefined ? [[name, value] as const] : [];
      }),
    );
    const isSame = resource === own && idIn(resource, params) === idIn(own, ownParams);
    return [{ resource, action, params, body, ...(isSame && { row }) }];
  });
}

/** The path with its parameters; those that are not known stay in braces. */
const filled = (path: string, params: Params): string =>
  path
    .split('/')
    .map((segment) => {
      const name = parameterIn(segment);
      const value = name === undefined ? undefined : params[name];
      if (name === undefined || value === undefined) return segment;
      return multiSegmentParams.has(name) ? value : encodeURIComponent(value.toWellFormed());
    })
    .join('/');
