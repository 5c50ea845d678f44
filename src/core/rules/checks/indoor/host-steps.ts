/** Steps of the procedures with an Indoor host, and what must stay as it is around those that are refused. */
import { every } from '../assertion.ts'
import { staysSame } from './account-assertions.ts'

export const inLife = (step: string): string => `account-life/${step}`
export const inTransfer = (step: string): string => `account-transfer/${step}`

export const refusedWhenClosed = [
  'pay-closed',
  'pre-close-closed',
  'unlock-closed',
  'cancel-item-closed',
]
export const refusedTransfers = [
  'transfer-target-locked',
  'transfer-source-locked',
  'transfer-source-closed',
]

export const transfersKept = every(
  staysSame(
    inTransfer('source-read-moved'),
    inTransfer('source-read-target-locked'),
    'a locked target',
  ),
  staysSame(
    inTransfer('target-read-target-locked'),
    inTransfer('target-read-source-locked'),
    'a locked source',
    'items',
  ),
  staysSame(
    inTransfer('target-read-source-locked'),
    inTransfer('target-read-end'),
    'a closed source',
    'items',
  ),
)

/** An order for a locked account adds nothing to it. */
export const lockedOrderAddsNothing = staysSame(
  inLife('read-locked'),
  inLife('read-still-locked'),
  'its lock: an item was added or cancelled',
)
