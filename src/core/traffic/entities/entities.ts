/** The entities that an exchange names (orders, deliveries, tables, customers), and its lane. */
import { operation as rowOf } from '../../protocol/catalogue.ts'
import { plainIdKindOf } from './plain-id-kinds.ts'
import { forEachMention, type Mention } from './mentions.ts'
import type { Exchange } from '../exchange.ts'
import type { IdentifierKind } from './identifier-kind.ts'
import { editJson, type JsonPathFrame } from './edit-json.ts'
import { meaningAt } from './field-meaning.ts'
import { innermostKey } from './shift-times.ts'
import { isPollCall } from '../polling.ts'
import { tryParseJson } from '../json/try-parse-json.ts'
import { isUnknownRecord } from '../../protocol/unknown-record.ts'

/** Kinds with a lifecycle of their own. Parts of them (items, payments) belong to their entity. */
export const exchangeEntityKinds = [
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
export type ExchangeEntityKind = (typeof exchangeEntityKinds)[number]

export interface ExchangeEntity {
  readonly kind: ExchangeEntityKind
  readonly id: string
}

const isEntityKind = (kind: string | undefined): kind is ExchangeEntityKind =>
  (exchangeEntityKinds as readonly (string | undefined)[]).includes(kind)

/** Maximum number of entities of one exchange: a long list is about none of its members. */
const maxEntities = 200

/** Rank of a place: path before query before request body before reply. */
const rankOf = (side: 'request' | 'reply', at: string): number => {
  if (side === 'reply') return 3
  return at.startsWith('/path/') ? 0 : at.startsWith('/query/') ? 1 : 2
}

export interface NamedEntity extends ExchangeEntity {
  /** The request names it, not only the reply. */
  readonly isInRequest: boolean
}

/** Every entity that an exchange names, once, in the order of rank. */
export function namedExchangeEntities(exchange: Exchange): readonly NamedEntity[] {
  const found = new Map<string, NamedEntity & { readonly rank: number }>()
  const add = (kind: ExchangeEntityKind, id: string, rank: number): void => {
    const key = `${kind} ${id}`
    const before = found.get(key)
    if (before ? before.rank <= rank : found.size >= maxEntities) return
    found.set(key, { kind, id, rank, isInRequest: rank < 3 })
  }
  const see = ({ kind, value, side, at }: Mention): void => {
    if (isEntityKind(kind)) add(kind, value, rankOf(side, at()))
  }
  forEachMention(exchange, see, { typedOnly: true })
  const { orderId } = exchange
  if (orderId !== undefined && !found.has(`order ${orderId}`)) add('order', orderId, 2)
  return [...found.values()].toSorted((a, b) => a.rank - b.rank)
}

/** A place names the account that is there, as its id does (IND-UND-03): `TABLE 7`. */
const accountAt = (mode: unknown, identifier: unknown): string | undefined =>
  typeof mode === 'string' && typeof identifier === 'string' ? `${mode} ${identifier}` : undefined

/** The places of accounts in an exchange, as further names of the accounts; a later visit to a table has the same place. */
export function namedAccountPlaces({
  operation,
  request,
  reply,
}: Exchange): readonly NamedEntity[] {
  if (operation === undefined || rowOf(operation).capability !== 'indoor') return []
  const query = new URLSearchParams(request.url.split('?')[1])
  const inBody = (body = ''): string | undefined => {
    const document = tryParseJson(body)
    return isUnknownRecord(document)
      ? accountAt(document['operationMode'], document['identifier'])
      : undefined
  }
  const asked = accountAt(query.get('operationMode'), query.get('identifier'))
  const inRequest = asked ?? inBody(request.body)
  const id = inRequest ?? inBody(reply?.body)
  return id === undefined ? [] : [{ kind: 'account', id, isInRequest: inRequest !== undefined }]
}

/** All entities of an exchange, in the order of rank. */
export const exchangeEntities = (exchange: Exchange): readonly ExchangeEntity[] =>
  namedExchangeEntities(exchange).map(({ kind, id }) => ({ kind, id }))

/** Main entity kinds by capability, for operations that name several: a delivery is found by its order. */
const mainKindsByCapability: Readonly<Record<string, readonly ExchangeEntityKind[]>> = {
  orders: ['order'],
  logistics: ['order', 'delivery'],
  indoor: ['account', 'order'],
  customer: ['loyalty-account', 'lead', 'review', 'order', 'customer'],
}

/** The main entity of an exchange; undefined for a poll, a token request, a manifest. */
export function mainExchangeEntity(
  exchange: Exchange,
  named = namedExchangeEntities(exchange),
): ExchangeEntity | undefined {
  const { operation } = exchange
  const fromRequest = named.filter((each) => each.isInRequest)
  const { capability } = operation === undefined ? { capability: 'orders' } : rowOf(operation)
  const own = plainIdKindOf(operation)?.kind
  const first = isEntityKind(own) && capability === 'customer' ? [own] : []
  for (const kind of [...first, ...(mainKindsByCapability[capability] ?? [])]) {
    const entity = fromRequest.find((each) => each.kind === kind)
    if (entity) return { kind, id: entity.id }
  }
  const [other] = fromRequest
  return other && { kind: other.kind, id: other.id }
}

const callerOf = ({ from }: Exchange): string => `${from.party} ${from.role}`

/**
 * The lane of an exchange: caller and main entity. Exchanges of one lane are sequential, those of different lanes may
 * be reordered. Calls without entity (polls, tokens) have one lane per caller and host.
 */
export function exchangeLane(exchange: Exchange, named?: readonly NamedEntity[]): string {
  const entity = mainExchangeEntity(exchange, named)
  const { to } = exchange
  return entity
    ? `${callerOf(exchange)} ${entity.kind} ${entity.id}`
    : `${callerOf(exchange)} at ${to.party} ${to.role}`
}

export interface HandedOverEvent {
  readonly id?: string
  readonly type: string
  /** Its entities, as `kind id`. */
  readonly about: readonly string[]
}

const handsOver = (operation: NonNullable<Exchange['operation']>): boolean => {
  const { webhook, handler: behind, id } = rowOf(operation)
  return webhook !== undefined || behind.name === 'loyalty.receive' || /^receive\w*Event/.test(id)
}

interface Draft {
  id?: string
  type: string
  about: string[]
}

/** Index of the event: its position in a list, 0 for a single event. */
const eventIndex = (frames: readonly JsonPathFrame[]): number =>
  frames[0]?.list ? frames[0].index : 0

const entityKindSet: ReadonlySet<string> = new Set(exchangeEntityKinds)

/** In the order of the body; none for an exchange that hands nothing over. */
export function extractHandedOverEvents(exchange: Exchange): readonly HandedOverEvent[] {
  const { operation, request, reply } = exchange
  if (operation === undefined) return []
  const polled = isPollCall(exchange)
  if (!polled && !handsOver(operation)) return []
  const body = polled ? reply?.body : request.body
  const drafts: Draft[] = []
  editJson(body ?? '', (frames, value, isNumber) => {
    if (isNumber) return undefined
    const place = eventIndex(frames)
    const draft = (drafts[place] ??= { type: '', about: [] })
    const { kind } = meaningAt(frames, operation)
    if (kind === 'event') draft.id ??= value
    else if (kind !== undefined && entityKindSet.has(kind)) draft.about.push(`${kind} ${value}`)
    else if (innermostKey(frames) === 'eventType') draft.type = value
    return undefined
  })
  return drafts.filter((draft) => draft !== undefined)
}
