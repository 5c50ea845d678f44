/**
 * A recording as the things that are compared: calls, events that were handed over, acknowledgments, readings. What says
 * nothing is left out and counted: idle polls, readings that found what the one before found, fetching of tokens.
 */
import { operation as rowOf } from '../../../protocol/catalogue.ts'
import { eachMention } from '../../correlation/mentions.ts'
import type { Exchange } from '../../exchange.ts'
import type { RecordedExchange } from '../../recording/recorded-exchange.ts'
import { compareExchanges } from '../compare-exchanges.ts'
import { replyDocument, requestDocument } from '../document.ts'
import { formOf, looksMinted } from '../format.ts'
import { canonical } from '../json.ts'
import { isAcknowledgment, isIdlePoll } from '../../polling.ts'
import { apart, eventTypeOf } from '../polled.ts'
import type { RuleBook } from '../rule-book.ts'

export type UnitClass = 'event' | 'acknowledgment' | 'reading' | 'call'

export interface Unit {
  readonly exchange: RecordedExchange
  readonly class: UnitClass
  /** What it is: the operation, and for an event or its acknowledgment the type. */
  readonly name: string
  /** What it is about: `order:35bf…`; empty for what concerns the whole. */
  readonly entity: string
  /** What it says, without names and times that another run has others of. */
  readonly content: string
}

export interface Units {
  readonly units: readonly Unit[]
  readonly idle: number
  readonly tokens: number
}

const tokenOperations: ReadonlySet<string> = new Set(['issueToken', 'authorize'])

/** Kinds of names that something may be about, the most telling first. */
const entityKinds = [
  'order',
  'delivery',
  'account',
  'customer',
  'lead',
  'review',
  'loyalty-account',
  'redemption',
  'coupon',
] as const

/** Names and instants by what they look like alone. */
export const masked = (value: unknown): string =>
  canonical(value, (each) => {
    if (typeof each !== 'string') return JSON.stringify(each)
    if (looksMinted(each)) return `#${formOf(each)}`
    const form = formOf(each)
    return form === 'instant' || form === 'url' ? `#${form}` : JSON.stringify(each)
  })

function contentOf(exchange: Exchange): string {
  const { headers: _sent, ...request } = requestDocument(exchange)
  const { headers: _got, ...reply } = replyDocument(exchange)
  return `${masked(request)} ${masked(reply)}`
}

function entityOf(exchange: Exchange, orderOf: ReadonlyMap<string, string>): string {
  const named = exchange.orderId ?? orderOf.get(exchange.eventIds?.[0] ?? '')
  if (named !== undefined) return `order:${named}`
  // A list of many is about none of them.
  const found = new Map<string, Set<string>>()
  eachMention(exchange, ({ kind, value, isPart }) => {
    if (kind === undefined || isPart) return
    const values = found.get(kind) ?? new Set<string>()
    found.set(kind, values.add(value))
  })
  for (const kind of entityKinds) {
    const [first, second] = found.get(kind) ?? []
    if (first !== undefined && second === undefined) return `${kind}:${first}`
  }
  return ''
}

function classOf(exchange: Exchange, type: string | undefined): UnitClass {
  if (type !== undefined) return 'event'
  if (isAcknowledgment(exchange)) return 'acknowledgment'
  const { operation, request } = exchange
  const isView = operation === undefined ? false : rowOf(operation).behind.kind === 'view'
  return isView || request.method === 'GET' ? 'reading' : 'call'
}

/** Whether a reading found what the one before found, by the rules: whoever looks often learns nothing more. */
const foundNothingNew = (before: Exchange, exchange: Exchange, rules: RuleBook): boolean =>
  compareExchanges(before, exchange, rules).every(({ accepted }) => accepted)

const resourceOf = ({ from, request }: Exchange): string =>
  `${from.role} ${request.method} ${request.url.replace(/\?.*$/, '')}`

export function unitsOf(exchanges: readonly RecordedExchange[], rules: RuleBook): Units {
  const typeOf = new Map<string, string>()
  const orderOf = new Map<string, string>()
  const lastRead = new Map<string, Exchange>()
  const units: Unit[] = []
  let idle = 0
  let tokens = 0

  function readsNothingNew(exchange: Exchange): boolean {
    const resource = resourceOf(exchange)
    const before = lastRead.get(resource)
    if (before && foundNothingNew(before, exchange, rules)) return true
    lastRead.set(resource, exchange)
    return false
  }

  function unitOf(exchange: RecordedExchange): Unit | undefined {
    const type = eventTypeOf(exchange)
    const [eventId] = exchange.eventIds ?? []
    if (type !== undefined && eventId !== undefined) {
      typeOf.set(eventId, type)
      if (exchange.orderId !== undefined) orderOf.set(eventId, exchange.orderId)
    }
    const kind = classOf(exchange, type)
    if (kind === 'reading' && readsNothingNew(exchange)) return undefined
    const about = type ?? (kind === 'acknowledgment' ? typeOf.get(eventId ?? '') : undefined)
    const operation = exchange.operation ?? exchange.request.method
    return {
      exchange,
      class: kind,
      name: about === undefined ? operation : `${operation}:${about}`,
      entity: entityOf(exchange, orderOf),
      content: contentOf(exchange),
    }
  }

  for (const whole of exchanges) {
    if (tokenOperations.has(whole.operation ?? '')) tokens++
    else if (isIdlePoll(whole)) idle += whole.repeated?.times ?? 1
    else
      for (const exchange of apart(whole)) {
        const unit = unitOf(exchange)
        if (unit) units.push(unit)
        else idle++
      }
  }
  return { units, idle, tokens }
}
