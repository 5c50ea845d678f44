/** The kinds of identifiers in messages. */

export const identifierKinds = [
  'order',
  'order-code',
  'item',
  'event',
  'delivery',
  'quote',
  'courier',
  'account',
  'payment',
  'document',
  'customer',
  'lead',
  'review',
  'loyalty-account',
  'redemption',
  'transaction',
  'coupon',
  'program',
  'reward',
  'merchant',
  'client',
  'sku',
  'place',
  'request',
  /** The receipt of an accepted call: it may be the id of the entity that the call was about. */
  'receipt',
  'token',
  'secret',
  'signature',
  /** An identifier of a kind that the protocol does not define. */
  'unknown',
] as const

export type IdentifierKind = (typeof identifierKinds)[number]
