import type { CacheView, Dated, DescribedAction, Draft } from '../resource.ts';
import { tagActions } from '../tagging.ts';
import type { TimerName } from './timers.ts';

/** A DNS domain (document 3, 2.1). */
export type Domain = Dated &
  Record<TimerName, number> & {
    id: number;
    domain: string;
    type: string;
    status: string;
    soa_email: string | null;
    description: string | null;
    group: string;
    master_ips: readonly string[];
    axfr_ips: readonly string[];
    tags: readonly string[];
  };

/** A change of the status, the only field that it sends. */
const turn = (status: 'active' | 'disabled') =>
  ({
    method: 'PUT',
    send: () => ({ status }),
    refuse: (domain: Domain) => (domain.status === status ? `${domain.domain} is already ${status}` : undefined),
  }) as const;

const whatDisablingDoes = 'the nameservers stop serving it, so its websites and mail cannot be reached';

/** Asked where an edit affects those who look the domain up. */
export function editWarning(domain: Domain, _view: CacheView, draft: Draft): string {
  const losses = [
    draft.domain && draft.domain !== domain.domain
      ? `Renames ${domain.domain} to ${draft.domain}: the old name stops resolving.`
      : '',
    draft.status === 'disabled' && domain.status !== 'disabled'
      ? `Disables ${domain.domain}: ${whatDisablingDoes}. Its records are kept.`
      : '',
    draft.type && draft.type !== domain.type && domain.type === 'master'
      ? `Makes ${domain.domain} a slave: its records are transferred from other nameservers instead of those kept here.`
      : '',
  ].filter(Boolean);
  return losses.join(' ');
}

/** The actions on a domain besides editing and deleting it (document 3, 4.1). */
export const domainActions: readonly DescribedAction<Domain>[] = [
  {
    name: 'clone',
    makes: true,
    shownBy: { events: ['dns_zone_create'], names: ['domain'], isUnique: true },
    key: 'c',
    help: 'Clone',
    body: ['domain!'],
    row: (answer) => answer,
    single: true,
    ask: {
      note: (domain) =>
        `Copies all records of ${domain.domain} into a new domain, which must be unique on the platform.`,
    },
    inverse: () => ({ action: 'delete' }),
  },
  { ...turn('active'), name: 'enable', key: 'o', help: 'Enable', ask: false, inverse: () => ({ action: 'disable' }) },
  {
    ...turn('disabled'),
    name: 'disable',
    key: 'x',
    help: 'Disable',
    ask: {
      warning: (domain) => `Disables ${domain.domain}: ${whatDisablingDoes}. Its records are kept.`,
      together:
        'Disables them: the nameservers stop serving them, so their websites and mail cannot be reached. Their records are kept.',
    },
    inverse: () => ({ action: 'enable' }),
  },
  ...tagActions,
];
