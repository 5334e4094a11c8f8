import { sizeText } from '../../text/numbers.ts';
import { hour } from '../../text/times.ts';
import { lasting, type Rule, rule } from '../problems/rule.ts';
import { idAt, numberAt, rowName, textAt, timeAt } from '../row.ts';
import type { Volume } from '../storage/volumes.ts';
import { statusOf } from '../wording.ts';

const volumeRule = rule<Volume>('volumes', (volume) => rowName(volume, 'volume'));

const changing = ['creating', 'resizing', 'attaching', 'detaching', 'cloning', 'migrating'];

/** A change of a volume takes minutes. */
const maxChangeMs = hour;

/** Problems of volumes (document 2, 2.7 and 4.4). */
export const volumeRules: readonly Rule[] = [
  volumeRule({
    name: 'volume-attached-to-nothing',
    several: '{} volumes are attached to no server and still charged for',
    severity: 'notice',
    remedy: { action: 'attach' },
    remedies: [{ action: 'delete' }],
    find: (volume) => {
      if (statusOf(volume) !== 'active' || volume.server_id !== null) return;
      const size = numberAt(volume, 'size');
      const large = size === undefined ? '' : `(${sizeText(size, 3)}) `;
      return { says: `${large}is attached to no server and still charged for`, since: timeAt(volume, 'updated') };
    },
  }),
  volumeRule({
    name: 'volume-changing-too-long',
    several: '{} volumes have been changing for a long time',
    remedy: { shortcut: 'ticket' },
    find: lasting(changing, maxChangeMs, (span, volume) => `has been ${statusOf(volume)} for ${span}`),
  }),
  volumeRule({
    name: 'volume-on-gone-server',
    several: '{} volumes are attached to servers that no longer exist',
    reads: ['servers'],
    remedy: { action: 'detach' },
    find: (volume, view) => {
      const id = idAt(volume, 'server_id');
      if (id === undefined || view.row('servers', id) || !view.isRead('servers')) return;
      const server = textAt(volume, 'server_label') ?? `server ${id}`;
      return `is attached to ${server}, which no longer exists`;
    },
  }),
  volumeRule({
    name: 'volume-in-other-region',
    several: '{} volumes are attached to servers in other regions',
    reads: ['servers'],
    remedy: { action: 'detach' },
    find: (volume, view) => {
      const id = idAt(volume, 'server_id');
      const home = textAt(volume, 'region');
      const server = id === undefined || home === undefined ? undefined : view.row('servers', id);
      const region = textAt(server, 'region');
      if (region === undefined || region === home) return;
      return `in ${home} is attached to ${rowName(server, 'server')}, which is in ${region}`;
    },
  }),
];
