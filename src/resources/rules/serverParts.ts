import { sizeText } from '../../text/numbers.ts';
import { dayText, hour, spanWords } from '../../text/times.ts';
import { idAt, numberAt, rowName, textAt, timeAt } from '../problems/reading.ts';
import { type Rule, type RuleAnswer, rule } from '../problems/rule.ts';
import { at, type CacheView, type Params, type Row } from '../resource.ts';
import { statusOf } from '../wording.ts';
import { rootFault, under } from './boot.ts';

const configRule = rule('configs');
const diskRule = rule('disks');
const backupRule = rule('backups');

/** The server under which a row lies, as it is called. */
const serverOf = ({ serverId }: Params, view: CacheView) =>
  rowName(view.row('servers', serverId) ?? { id: serverId }, 'server');

function kernelOf(config: Row, view: CacheView, params: Params): RuleAnswer {
  const kernel = view.row('kernels', config.kernel);
  if (kernel?.deprecated !== true) return undefined;
  const name = rowName(config, 'config');
  return `${name} of ${serverOf(params, view)} boots ${rowName(kernel, 'kernel')}, a deprecated kernel`;
}

function rootOf(config: Row, view: CacheView, params: Params): RuleAnswer {
  const fault = rootFault(config, view, params);
  if (fault === undefined) return undefined;
  const [name, server] = [rowName(config, 'config'), serverOf(params, view)];
  return `${server} cannot boot with ${name}: its root device ${config.root_device} ${fault}`;
}

/** A disk is ready within minutes, a backup made within hours. */
const maxDuration = { disk: hour, backup: 6 * hour };

function diskOf(disk: Row, view: CacheView, params: Params): RuleAnswer {
  if (statusOf(disk) !== 'not_ready' && statusOf(disk) !== 'deleting') return undefined;
  const since = timeAt(disk, 'updated') ?? timeAt(disk, 'created');
  if (since === undefined || view.now - since <= maxDuration.disk) return undefined;
  const name = `${rowName(disk, 'disk')} of ${serverOf(params, view)}`;
  return {
    says: `${name} ${statusOf(disk) === 'deleting' ? 'has been deleting' : 'has not been ready'} for ${spanWords(view.now - since)}`,
    since,
  };
}

/** The ids of the disks that configs name. */
const disksIn = (configs: readonly Row[]) =>
  configs.flatMap((config) => Object.values(at(config, 'devices') ?? {}).map((device) => idAt(device, 'disk_id')));

function unusedOf(disk: Row, view: CacheView, params: Params): RuleAnswer {
  const size = numberAt(disk, 'size');
  if (statusOf(disk) !== 'ready' || size === undefined || !view.isRead('configs', under(params))) return undefined;
  const configs = view.rows('configs', under(params));
  if (configs.length === 0 || disksIn(configs).includes(idAt(disk, 'id'))) return undefined;
  const taken = `${sizeText(size, 2)} of ${serverOf(params, view)}`;
  return `${rowName(disk, 'disk')} takes ${taken} and is in none of its configs`;
}

/** A backup as it is called in a sentence, with its server and when it was begun. */
function backupWords(backup: Row, view: CacheView, params: Params): string {
  const label = textAt(backup, 'label');
  const kind = at(backup, 'type') === 'snapshot' ? 'snapshot' : 'backup';
  const created = timeAt(backup, 'created');
  const called = label === undefined ? kind : `${kind} ${label}`;
  return `The ${called} of ${serverOf(params, view)}${created === undefined ? '' : ` from ${dayText(created)}`}`;
}

function failedOf(backup: Row, view: CacheView, params: Params): RuleAnswer {
  if (statusOf(backup) !== 'failed') return undefined;
  const since = timeAt(backup, 'created');
  const isMended = view
    .rows('backups', under(params))
    .filter((other) => statusOf(other) === 'successful' && other.type === backup.type)
    .some((other) => (timeAt(other, 'created') ?? 0) > (since ?? 0));
  return isMended ? undefined : { says: `${backupWords(backup, view, params)} failed`, since };
}

const unfinished = new Set(['pending', 'running', 'needs_post_processing']);

function unfinishedOf(backup: Row, view: CacheView, params: Params): RuleAnswer {
  const since = timeAt(backup, 'created');
  if (!unfinished.has(statusOf(backup)) || since === undefined) return undefined;
  const took = view.now - since;
  if (took <= maxDuration.backup) return undefined;
  return { says: `${backupWords(backup, view, params)} has not finished after ${spanWords(took)}`, since };
}

/** Rules for servers' configs, disks and backups (document 2, 2.2 to 2.4). */
export const serverPartRules: readonly Rule[] = [
  configRule({
    name: 'config-kernel-deprecated',
    several: '{} configs boot a deprecated kernel',
    severity: 'notice',
    reads: ['kernels', 'servers'],
    remedy: { action: 'edit' },
    find: kernelOf,
  }),
  configRule({
    name: 'config-without-root',
    several: '{} configs have no root device that boots',
    reads: ['disks', 'volumes', 'servers'],
    shows: ['disks'],
    remedy: { action: 'edit' },
    find: rootOf,
  }),
  diskRule({
    name: 'disk-not-ready',
    several: '{} disks have not been ready for a long time',
    reads: ['servers'],
    find: diskOf,
  }),
  diskRule({
    name: 'disk-unused',
    several: '{} disks are in no config of their server',
    severity: 'notice',
    reads: ['configs', 'servers'],
    find: unusedOf,
  }),
  backupRule({ name: 'backup-failed', several: '{} backups failed', reads: ['servers'], find: failedOf }),
  backupRule({
    name: 'backup-unfinished',
    several: '{} backups have not finished after a long time',
    reads: ['servers'],
    find: unfinishedOf,
  }),
];
