import { addressOf } from '../engine/address.ts';
import type { Entity } from '../engine/eventLog.ts';
import type { Image } from './images.seed.ts';

/** An image as an event names it. */
export const imageEntity = ({ id, label }: Image): Entity => ({
  id,
  label,
  type: 'image',
  url: addressOf('images', id) ?? null,
});
