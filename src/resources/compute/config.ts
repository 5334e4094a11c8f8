import { isId } from '../identity.ts';
import type { CacheView, Row } from '../resource.ts';
import { rowsOf } from '../row.ts';

/** A configuration profile of a server (document 2, 2.2). */
export type Config = Row & {
  id: number;
  label: string;
  kernel: string;
  root_device: string;
  devices: Readonly<Record<string, { disk_id: number | null; volume_id: number | null } | null>>;
  interfaces?: readonly { purpose: string; label: string | null; ipam_address: string | null }[];
  comments: string | null;
  /** In MB. */
  memory_limit: number;
  run_level: string;
  virt_mode: string;
};

/** The devices in the slots, by label where one is loaded, else by id. */
export const deviceWords = ({ devices }: Config, view: CacheView) =>
  Object.entries(devices ?? {}).flatMap(([slot, device]) => {
    const { disk_id: disk, volume_id: volume } = device ?? {};
    if (isId(disk)) return [`${slot}=${deviceLabel('disk', disk, view)}`];
    return isId(volume) ? [`${slot}=${deviceLabel('volume', volume, view)}`] : [];
  });

const deviceLabel = (kind: 'disk' | 'volume', id: number | string, view: CacheView) =>
  view.row(`${kind}s`, id)?.label ?? `${kind} ${id}`;

/** The interfaces, each as its purpose, label and address. */
export const interfaceWords = ({ interfaces }: Config) =>
  rowsOf(interfaces).map(({ purpose, label, ipam_address }) =>
    [purpose, label, ipam_address].filter((word) => word).join(' '),
  );
