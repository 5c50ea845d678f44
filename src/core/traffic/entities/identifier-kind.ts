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

/** Field names that say that their value is an identifier: `ticketId`, `externalRef`, `station_key`. */
const words = /(?:^|[_\-. ])(?:ids?|guid|uuid|ref|keys?)$/i
const humps = /[a-z\d](?:I[dD]s?|[GU]uid|[GU]UID|Ref|Keys?)$/

export const isIdentifierName = (name: string): boolean => words.test(name) || humps.test(name)
