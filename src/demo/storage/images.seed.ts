import type { Image as ImageRow } from '../../resources/storage/images.ts';
import { byId, type CloudOptions, type Stored } from '../engine/cloud.ts';
import { day, timestamp } from '../engine/time.ts';

/** An image (document 1, 2.11). */
export type Image = Stored<ImageRow> & { size: number };

type Release = readonly [
  name: string,
  label: string,
  vendor: string,
  size: number,
  created: string,
  eol: string,
  deprecated?: true,
];

const releases: readonly Release[] = [
  ['almalinux8', 'AlmaLinux 8', 'AlmaLinux', 2000, '2021-06-16', '2029-03-01'],
  ['almalinux9', 'AlmaLinux 9', 'AlmaLinux', 2200, '2022-05-31', '2032-05-31'],
  ['alpine3.18', 'Alpine 3.18', 'Alpine', 300, '2023-05-10', '2025-05-09', true],
  ['alpine3.19', 'Alpine 3.19', 'Alpine', 300, '2023-12-08', '2025-11-01'],
  ['alpine3.20', 'Alpine 3.20', 'Alpine', 300, '2024-05-23', '2026-04-01'],
  ['arch', 'Arch Linux', 'Arch', 2100, '2016-06-13', '2036-06-13'],
  ['centos7', 'CentOS 7', 'CentOS', 1500, '2014-07-08', '2024-06-30', true],
  ['centos-stream9', 'CentOS Stream 9', 'CentOS', 2200, '2021-12-06', '2027-05-31'],
  ['debian10', 'Debian 10', 'Debian', 1500, '2019-07-07', '2024-06-30', true],
  ['debian11', 'Debian 11', 'Debian', 1800, '2021-08-14', '2026-08-31'],
  ['debian12', 'Debian 12', 'Debian', 1900, '2023-06-12', '2028-06-30'],
  ['fedora39', 'Fedora 39', 'Fedora', 2400, '2023-11-07', '2024-11-26', true],
  ['fedora40', 'Fedora 40', 'Fedora', 2500, '2024-04-23', '2025-05-13'],
  ['gentoo', 'Gentoo', 'Gentoo', 6300, '2019-02-26', '2036-02-26'],
  ['kali', 'Kali Linux', 'Kali', 2300, '2020-08-21', '2036-08-21'],
  ['opensuse15.6', 'openSUSE Leap 15.6', 'openSUSE', 2000, '2024-06-12', '2025-12-31'],
  ['rocky8', 'Rocky Linux 8', 'Rocky', 2100, '2021-06-21', '2029-05-31'],
  ['rocky9', 'Rocky Linux 9', 'Rocky', 2300, '2022-07-14', '2032-05-31'],
  ['slackware15.0', 'Slackware 15.0', 'Slackware', 9000, '2022-02-03', '2036-02-03'],
  ['ubuntu20.04', 'Ubuntu 20.04 LTS', 'Ubuntu', 2700, '2020-04-23', '2025-04-30'],
  ['ubuntu22.04', 'Ubuntu 22.04 LTS', 'Ubuntu', 3000, '2022-04-21', '2027-04-21'],
  ['ubuntu24.04', 'Ubuntu 24.04 LTS', 'Ubuntu', 3300, '2024-04-25', '2029-04-25'],
];

type Told = 'id' | 'label' | 'created' | 'created_by' | 'updated' | 'size';

/** An image, as far as nothing else is said of it. */
export const newImage = ({ id, label, ...own }: Pick<Image, Told> & Partial<Image>): Image => ({
  ...{ id, label, description: null, created: own.created, created_by: own.created_by, updated: own.updated },
  ...{ deprecated: false, is_public: false, vendor: null, size: own.size, status: 'available', type: 'manual' },
  ...{ eol: null, expiry: null, ...own },
});

/** The images that everybody may deploy. */
const publicImages: readonly Image[] = releases.map(([name, label, vendor, size, created, eol, deprecated]) => {
  const at = `${created}T00:01:01`;
  const of = { id: `server/${name}`, label, vendor, size, deprecated: deprecated === true, is_public: true };
  return newImage({ ...of, created: at, created_by: 'server', updated: at, eol: `${eol}T04:00:00` });
});

type Own = readonly [label: string, size: number, daysAgo: number, description: string | null, expires?: true];

const own: readonly Own[] = [
  ['golden-web', 2840, 12, 'Debian 12 with the web server and its monitoring agent'],
  ['golden-api', 3120, 12, 'Debian 12 with the API runtime'],
  ['golden-db', 4410, 40, 'Ubuntu 22.04 with the database, without data'],
  ['ci-runner-base', 7950, 5, null],
  ['before-the-move', 18_760, 71, ''],
  ['web-old', 5230, 26, 'Kept after the server was deleted', true],
];

/** The images there are at first: the public ones, then the account's own. */
export function seedImages({ time }: CloudOptions): Map<string, Image> {
  const timestampAgo = (days: number) => timestamp(time - days * day);
  const ownImages = own.map(([label, size, daysAgo, description, expires], place) => {
    const of = { id: `private/${24_310_007 + place * 113}`, label, description, size, created_by: 'operator' };
    const ends = expires && { type: 'automatic', expiry: timestampAgo(daysAgo - 30) };
    return newImage({ ...of, created: timestampAgo(daysAgo), updated: timestampAgo(daysAgo - 0.01), ...ends });
  });
  return byId<Image>([...publicImages.map((image) => ({ ...image })), ...ownImages]);
}
