import { day, dayText, hour, spanWords } from '../../text/times.ts';
import { listed } from '../../text/words.ts';
import { idIndex } from '../problems/rowIndex.ts';
import { lasting, type Rule, type RuleAnswer, rule } from '../problems/rule.ts';
import { type CacheView, idAt, type Row, rowName, timeAt } from '../row.ts';
import { endOfLife } from '../storage/images.ts';
import { statusOf } from '../wording.ts';

const imageRule = rule('images', (image) => rowName(image, 'image'));
const usedRule = rule('images', undefined, ['servers']);

const isOurs = ({ is_public }: Row) => is_public === false;

/** An image that expires within this time is reported; within a day it is a warning. */
const expirySoon = 7 * day;

/** The data of an upload is missed after so long; the platform deletes the image after a day. A capture is available shortly. */
const [uploadMissed, longCapture] = [hour, 2 * hour];

/** Finds one of our images that has this status for longer than `most`. */
const oursLasting = (status: string, most: number, says: (span: string) => string): Rule['find'] => {
  const find = lasting([status], most, says, ['created']);
  return (image, ...around) => (isOurs(image) ? find(image, ...around) : undefined);
};

/** Who was made from an image: "web-1 was", "web-1, web-2 and 3 more were"; undefined where no server was. */
function madeFrom(image: Row, view: CacheView): string | undefined {
  const servers = view.find('servers', idIndex('image'), idAt(image, 'id') ?? '');
  if (servers.length === 0) return undefined;
  return `${listed(servers.map((server) => rowName(server, 'server')))} ${servers.length === 1 ? 'was' : 'were'}`;
}

/** The end of an image's life is reported this long before. */
const endSoon = 90 * day;

/** The time of the end of life of a public image when it lies within these bounds from now, in ms. */
function endWithin(image: Row, { now }: CacheView, from: number, to: number): number | undefined {
  const end = endOfLife(image);
  return end !== undefined && end - now > from && end - now <= to ? end : undefined;
}

/** Finds a public image whose end of life lies within these bounds from now, in ms. */
const ending =
  (verb: 'reached' | 'reaches', from: number, to: number) =>
  (image: Row, view: CacheView): RuleAnswer => {
    const end = endWithin(image, view, from, to);
    const made = end === undefined ? undefined : madeFrom(image, view);
    if (end === undefined || made === undefined) return undefined;
    const says = `${made} made from ${rowName(image, 'image')}, which ${verb} its end of life on ${dayText(end)}`;
    return verb === 'reached' ? { says, since: end } : says;
  };

/** Rules for our images, and the public ones that our servers were made from (document 1, 2.11 and 4.7). */
export const imageRules: readonly Rule[] = [
  imageRule({
    name: 'image-expires',
    several: '{} images expire soon and are deleted then',
    severity: 'notice',
    remedy: { shortcut: 'deploy' },
    find: (image, { now }) => {
      const expiry = isOurs(image) ? timeAt(image, 'expiry') : undefined;
      if (expiry === undefined || expiry - now > expirySoon) return;
      if (expiry <= now) return { says: `expired on ${dayText(expiry)}`, since: expiry };
      return {
        says: `expires in ${spanWords(expiry - now)} and is deleted then`,
        severity: expiry - now <= day ? 'warning' : undefined,
      };
    },
  }),
  imageRule({
    name: 'image-upload-missed',
    several: '{} images wait for their data; after 24 hours their uploads are cancelled',
    remedy: { action: 'upload' },
    find: oursLasting(
      'pending_upload',
      uploadMissed,
      (span) => `has waited ${span} for its data; after 24 hours the upload is cancelled and the image deleted`,
    ),
  }),
  imageRule({
    name: 'image-creating-too-long',
    several: '{} images are still being created after a long time',
    find: oursLasting('creating', longCapture, (span) => `is still being created after ${span}`),
  }),
  imageRule({
    name: 'image-failed',
    several: '{} images failed and cannot be deployed',
    remedy: { action: 'delete' },
    find: (image) =>
      isOurs(image) && statusOf(image) === 'failed'
        ? { says: 'failed and cannot be deployed', since: timeAt(image, 'updated') }
        : undefined,
  }),
  usedRule({
    name: 'image-past-end-of-life',
    several: '{} images that servers were made from have reached their end of life',
    find: ending('reached', Number.NEGATIVE_INFINITY, 0),
  }),
  usedRule({
    name: 'image-near-end-of-life',
    several: '{} images that servers were made from reach their end of life soon',
    severity: 'notice',
    find: ending('reaches', 0, endSoon),
  }),
  usedRule({
    name: 'image-deprecated',
    several: '{} images that servers were made from are deprecated',
    severity: 'notice',
    find: (image, view) => {
      if (image.deprecated !== true || endWithin(image, view, Number.NEGATIVE_INFINITY, endSoon)) return;
      const made = madeFrom(image, view);
      return made === undefined ? undefined : `${made} made from ${rowName(image, 'image')}, which is deprecated`;
    },
  }),
];
