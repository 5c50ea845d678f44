/** The kinds of identifiers: what an identifier in a message names. */

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
  /** The receipt of an accepted call: it may be the id of what the call was about. */
  'receipt',
  'token',
  'secret',
  'signature',
  /** Some identifier that the protocol does not name. */
  'unknown',
] as const

export type IdentifierKind = (typeof identifierKinds)[number]
