/** Why nothing that changes something can be done. */
export const readOnlyReason = 'Read-only: nothing can be changed in this session.';
