/**
 * Account events (document 2, Indoor events): sent by the Software Service by webhook, without polling (IND-EVR-01);
 * none changes the status of an order (IND-EVR-05).
 */
import { z } from 'zod'
import { withKnownValues } from '../known-values.ts'
import type { AccountStatus } from './status.ts'
import { looseObject } from '../../base/lazy-object.ts'

export const accountEventTypes = [
  'ACCOUNT_OPENED',
  'ACCOUNT_ITEM_ADDED',
  'ACCOUNT_ITEM_REMOVED',
  'ACCOUNT_ITEM_CANCELLED',
  'PAYMENT_CREATED',
  'PAYMENT_UPDATED',
  'ACCOUNT_PRE_CLOSED',
  'ACCOUNT_UNLOCKED',
  'FISCAL_ISSUED',
  'FISCAL_ERROR',
  'ACCOUNT_CLOSED',
] as const
export type AccountEventType = (typeof accountEventTypes)[number]

export interface AccountEventRow {
  readonly obligation: 'MUST' | 'MAY'
  /** The account's status after the event; absent where it stays unchanged. */
  readonly after?: AccountStatus
  readonly clause: string
}

export const accountEvents: Readonly<Record<AccountEventType, AccountEventRow>> = {
  ACCOUNT_OPENED: { obligation: 'MUST', after: 'IN_USE', clause: 'IND-EVT-01' },
  ACCOUNT_ITEM_ADDED: { obligation: 'MUST', after: 'IN_USE', clause: 'IND-EVT-02' },
  ACCOUNT_ITEM_REMOVED: { obligation: 'MAY', after: 'IN_USE', clause: 'IND-EVT-03' },
  ACCOUNT_ITEM_CANCELLED: { obligation: 'MUST', after: 'IN_USE', clause: 'IND-EVT-04' },
  PAYMENT_CREATED: { obligation: 'MUST', clause: 'IND-EVT-05' },
  PAYMENT_UPDATED: { obligation: 'MAY', clause: 'IND-EVT-06' },
  ACCOUNT_PRE_CLOSED: { obligation: 'MUST', after: 'IN_PAYMENT', clause: 'IND-EVT-07' },
  ACCOUNT_UNLOCKED: { obligation: 'MAY', after: 'IN_USE', clause: 'IND-EVT-08' },
  FISCAL_ISSUED: { obligation: 'MUST', clause: 'IND-EVT-09' },
  FISCAL_ERROR: { obligation: 'MUST', clause: 'IND-EVT-10' },
  ACCOUNT_CLOSED: { obligation: 'MUST', after: 'CLOSED', clause: 'IND-EVT-11' },
}

/** The events that a host may omit. */
export const optionalAccountEvents = [
  'ACCOUNT_ITEM_REMOVED',
  'PAYMENT_UPDATED',
  'ACCOUNT_UNLOCKED',
] as const satisfies readonly AccountEventType[]

/**
 * An account event as received. An id and a type are enough (IND-UND-05): every field that identifies the account is
 * optional.
 */
export const AccountEventBody = looseObject(() => ({
  eventId: z.string().min(1).max(200),
  eventType: withKnownValues(z.string().min(1).max(200), accountEventTypes),
  occurredAt: z.string().optional(),
  accountId: z.string().max(200).optional(),
  operationMode: z.string().max(200).optional(),
  identifier: z.string().max(200).optional(),
  merchantId: z.string().max(200).optional(),
  orderId: z.string().max(200).optional(),
  paymentId: z.string().optional(),
  documentId: z.string().optional(),
}))
export type AccountEventBody = z.infer<typeof AccountEventBody>
