import { useState } from 'react';

/** The answer to the keys that a dialog does not take while it is read again or sent. */
export interface BusyKeys {
  /** Said since the first such key; blank before. */
  message: string;
  /** Notes such a key. */
  press: () => void;
}

/** Has a key that does nothing while a dialog is read again or sent answered, until that is over. */
export function useBusyKeys(isUnderWay: boolean): BusyKeys {
  const [isPressed, setPressed] = useState(false);
  if (isPressed && !isUnderWay) setPressed(false);
  return { message: isPressed ? 'No key changes it until it is answered.' : '', press: () => setPressed(true) };
}
