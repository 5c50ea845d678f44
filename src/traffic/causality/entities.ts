/** What an exchange is about: the orders, deliveries, tables, customers that it names, and the lane that it belongs to. */
import { operation as rowOf } from '../../protocol/catalogue.ts'
import { ownKindOf } from '../correlation/own-kinds.ts'
import { eachMention, type Mention } from '../correlation/mentions.ts'
import type { Exchange } from '../exchange.ts'
import type { IdentifierKind } from '../correlation/identifier-kind.ts'

/** The kinds that have a life of their own. What is part of one (an item, a payment) follows it. */
export const entityKinds = [
  'order',
  'delivery',
  'account',
  'loyalty-account',
  'redemption',
  'coupon',
  'customer',
  'lead',
  'review',
] as const satisfies readonly IdentifierKind[]
export type EntityKind = (typeof entityKinds)[number]

export interface Entity {
  readonly kind: EntityKind
  readonly id: string
}

const isEntityKind = (kind: string | undefined): kind is EntityKind =>
  (entityKinds as readonly (string | undefined)[]).includes(kind)

/** A list of a thousand customers is about none of them. */
const mostEntities = 200

/** Where an entity stands: what the path or the query names comes before what the bodies say. */
const rankOf = (side: 'request' | 'reply', at: string): number => {
  if (side === 'reply') return 3
  return at.startsWith('/path/') ? 0 : at.startsWith('/query/') ? 1 : 2
}

export interface Named extends Entity {
  /** It was named by whoever asked, and not only by the answer. */
  readonly asked: boolean
}

/** Every entity that an exchange names, each once, the most telling first. */
export function namedIn(exchange: Exchange): readonly Named[] {
  const found = new Map<string, Named & { readonly rank: number }>()
  const add = (kind: EntityKind, id: string, rank: number): void => {
    const key = `${kind} ${id}`
    const before = found.get(key)
    if (before ? before.rank <= rank : found.size >= mostEntities) return
    found.set(key, { kind, id, rank, asked: rank < 3 })
  }
  const see = ({ kind, value, side, at }: Mention): void => {
    if (isEntityKind(kind)) add(kind, value, rankOf(side, at()))
  }
  eachMention(exchange, see, { typedOnly: true })
  const { orderId } = exchange
  if (orderId !== undefined && !found.has(`order ${orderId}`)) add('order', orderId, 2)
  return [...found.values()].toSorted((a, b) => a.rank - b.rank)
}

/** The same without where they stand. */
export const entitiesOf = (exchange: Exchange): readonly Entity[] =>
  namedIn(exchange).map(({ kind, id }) => ({ kind, id }))

/** What an operation is about, where it names several things: a delivery is found by its order. */
const subjectOf: Readonly<Record<string, readonly EntityKind[]>> = {
  orders: ['order'],
  logistics: ['order', 'delivery'],
  indoor: ['account', 'order'],
  customer: ['loyalty-account', 'lead', 'review', 'order', 'customer'],
}

/** The entity that an exchange is about before all others; none for a poll, a token, a manifest. */
export function mainEntityOf(exchange: Exchange, named = namedIn(exchange)): Entity | undefined {
  const { operation } = exchange
  const asked = named.filter((each) => each.asked)
  const { capability } = operation === undefined ? { capability: 'orders' } : rowOf(operation)
  const own = ownKindOf(operation)?.kind
  const first = isEntityKind(own) && capability === 'customer' ? [own] : []
  for (const kind of [...first, ...(subjectOf[capability] ?? [])]) {
    const entity = asked.find((each) => each.kind === kind)
    if (entity) return { kind, id: entity.id }
  }
  const [other] = asked
  return other && { kind: other.kind, id: other.id }
}

const callerOf = ({ from }: Exchange): string => `${from.party} ${from.role}`

/**
 * The lane of an exchange: who calls, and what about. Exchanges of one lane happen one after another; those of two may
 * swap places. Calls that are about nothing (polls, tokens) have a lane for each host.
 */
export function laneOf(exchange: Exchange, named?: readonly Named[]): string {
  const entity = mainEntityOf(exchange, named)
  const { to } = exchange
  return entity
    ? `${callerOf(exchange)} ${entity.kind} ${entity.id}`
    : `${callerOf(exchange)} at ${to.party} ${to.role}`
}
