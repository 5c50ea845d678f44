/**
 * Splits a recording into units of comparison: calls, handed-over events, acknowledgments, readings. Insignificant
 * exchanges are left out and counted: idle polls, readings without a change since the one before, token requests.
 */
import { operation as rowOf } from '../../core/protocol/catalogue.ts'
import { forEachMention } from '../../core/traffic/entities/mentions.ts'
import type { Exchange } from '../../core/traffic/exchange.ts'
import type { RecordedExchange } from '../../core/traffic/recording/recorded-exchange.ts'
import { compareExchanges } from './compare-exchanges.ts'
import { replyDocument, requestDocument } from './document.ts'
import { textFormOf, looksMachineGenerated } from './text-form.ts'
import { canonicalJson } from '../../core/traffic/recording/json.ts'
import { isAcknowledgmentCall, isIdlePoll } from '../../core/traffic/polling.ts'
import { splitByEvent, eventTypeOf } from '../../core/traffic/recording/split-by-event.ts'
import type { RuleBook } from './rule-book.ts'

export type UnitClass = 'event' | 'acknowledgment' | 'reading' | 'call'

export interface ComparedUnit {
  readonly exchange: RecordedExchange
  readonly class: UnitClass
  /** The operation; for an event or its acknowledgment with the event type. */
  readonly name: string
  /** The entity: `order:35bf…`; empty when there is none. */
  readonly entity: string
  /** Request and reply with generated identifiers and instants masked. */
  readonly content: string
}

const tokenOperations: ReadonlySet<string> = new Set(['issueToken', 'authorize'])

/** Kinds of entities, the most specific first. */
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

/** Canonical JSON with identifiers, instants and URLs replaced by their form. */
export const maskedJson = (value: unknown): string =>
  canonicalJson(value, (each) => {
    if (typeof each !== 'string') return JSON.stringify(each)
    if (looksMachineGenerated(each)) return `#${textFormOf(each)}`
    const form = textFormOf(each)
    return form === 'instant' || form === 'url' ? `#${form}` : JSON.stringify(each)
  })

function contentOf(exchange: Exchange): string {
  const { headers: _sent, ...request } = requestDocument(exchange)
  const { headers: _got, ...reply } = replyDocument(exchange)
  return `${maskedJson(request)} ${maskedJson(reply)}`
}

function entityOf(exchange: Exchange, orderOf: ReadonlyMap<string, string>): string {
  const named = exchange.orderId ?? orderOf.get(exchange.eventIds?.[0] ?? '')
  if (named !== undefined) return `order:${named}`
  // An exchange that names several entities of a kind belongs to none of them.
  const found = new Map<string, Set<string>>()
  forEachMention(exchange, ({ kind, value, isPart }) => {
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
  if (isAcknowledgmentCall(exchange)) return 'acknowledgment'
  const { operation, request } = exchange
  const isView = operation === undefined ? false : rowOf(operation).handler.kind === 'view'
  return isView || request.method === 'GET' ? 'reading' : 'call'
}

/** Whether a reading differs from the one before by nothing that the rules do not accept. */
const isUnchangedReading = (before: Exchange, exchange: Exchange, rules: RuleBook): boolean =>
  compareExchanges(before, exchange, rules).every(({ accepted }) => accepted)

const resourceOf = ({ from, request }: Exchange): string =>
  `${from.role} ${request.method} ${request.url.replace(/\?.*$/, '')}`

export function comparedUnits(exchanges: readonly RecordedExchange[], rules: RuleBook) {
  const typeOf = new Map<string, string>()
  const orderOf = new Map<string, string>()
  const lastRead = new Map<string, Exchange>()
  const units: ComparedUnit[] = []
  let idle = 0
  let tokens = 0

  function isRepeatedReading(exchange: Exchange): boolean {
    const resource = resourceOf(exchange)
    const before = lastRead.get(resource)
    if (before && isUnchangedReading(before, exchange, rules)) return true
    lastRead.set(resource, exchange)
    return false
  }

  function unitOf(exchange: RecordedExchange): ComparedUnit | undefined {
    const type = eventTypeOf(exchange)
    const [eventId] = exchange.eventIds ?? []
    if (type !== undefined && eventId !== undefined) {
      typeOf.set(eventId, type)
      if (exchange.orderId !== undefined) orderOf.set(eventId, exchange.orderId)
    }
    const kind = classOf(exchange, type)
    if (kind === 'reading' && isRepeatedReading(exchange)) return undefined
    const eventType = type ?? (kind === 'acknowledgment' ? typeOf.get(eventId ?? '') : undefined)
    const operation = exchange.operation ?? exchange.request.method
    return {
      exchange,
      class: kind,
      name: eventType === undefined ? operation : `${operation}:${eventType}`,
      entity: entityOf(exchange, orderOf),
      content: contentOf(exchange),
    }
  }

  for (const whole of exchanges) {
    if (tokenOperations.has(whole.operation ?? '')) tokens++
    else if (isIdlePoll(whole)) idle += whole.repeated?.times ?? 1
    else
      for (const exchange of splitByEvent(whole)) {
        const unit = unitOf(exchange)
        if (unit) units.push(unit)
        else idle++
      }
  }
  return { units, idle, tokens }
}
