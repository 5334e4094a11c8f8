import { jobAbout } from '../account/events.ts';
import type { Done, InverseSketch, Needed } from '../action.ts';
import { at, type CacheView, type Draft, isRow, type Row } from '../row.ts';

/** Whether it is attached to no server; some APIs leave the field out then. */
export const isDetached = ({ server_id }: Row): boolean => server_id === null || server_id === undefined;

/** The server that has it. */
export const serverName = ({ server_label, server_id }: Row): string => String(server_label ?? `server ${server_id}`);

/** Why a volume cannot be attached or deleted. */
export function refuseAttached(volume: Row, view: CacheView): string | undefined {
  if (isDetached(volume)) return undefined;
  return jobAbout('volume', volume, view)?.action === 'volume_detach'
    ? `${volume.label} is being detached; wait until that has ended`
    : `${volume.label} is attached to ${serverName(volume)}; detach it first`;
}

/**
 * The config that a server must have for a volume to be attached to it, unless that is for one boot only, or names its own
 * (document 2, 4.4).
 * @param otherwise what else can be done, as a clause
 */
export const neededConfig =
  (otherwise: string) =>
  ({ server_id, config_id, persist_across_boots }: Draft, view: CacheView): Needed | undefined => {
    if (!server_id || config_id || persist_across_boots === false) return undefined;
    const label = view.row('servers', server_id)?.label;
    const server = `server ${label ?? server_id}`;
    const under = { serverId: String(server_id) };
    const count = view.rows('configs', under).length;
    return {
      list: 'configs',
      under,
      none: {
        field: 'server_id',
        says: `${label ?? 'it'} has no config, which an attached volume needs: make one first, or ${otherwise}`,
      },
      several: `Of the ${count} configs of ${server} none is named: the API takes the one last booted, and refuses it where none was.`,
      unread: `It is not known whether ${server} has a config, without which the API refuses it.`,
    };
  };

/** Whether a config has a volume as one of its devices. */
const isIn = ({ devices }: Row, { id }: Row) =>
  isRow(devices) && Object.values(devices).some((device) => at(device, 'volume_id') === id);

/** A detached volume comes back to its server, and to the config that had it where that is known. */
export function attachedAgain({ before }: Done, view: CacheView): InverseSketch | string {
  if (!before || isDetached(before)) return 'The server that it was attached to is not known.';
  const serverId = String(before.server_id);
  const config = view.rows('configs', { serverId }).find((one) => isIn(one, before));
  return {
    action: 'attach',
    entries: { server_id: serverId, ...(config && { config_id: String(config.id) }) },
    differs: [
      config ? 'its device may have another name' : 'it goes to the config last booted, in its first free slot',
    ],
  };
}
