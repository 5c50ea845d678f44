/**
 * A passing trace with one mistake of the service, as one line: whose messages, and what is wrong with them.
 *
 *     answer confirmOrder: status 202 => 200      its answers with this status have another one
 *     answer getOrder: /items/*\/id gone          its answers lack a member
 *     call issueToken: /scope = ""                its requests have another value there
 *     event CONFIRMED: twice                      it emits each such event twice, in polls and by webhook
 *     at access/without-token: status 401 => 200  its answers at a step of a procedure
 */
import type { TraceData } from '../../../src/core/rules/checks/trace.ts'
import { operation as operationRow } from '../../../src/core/protocol/catalogue.ts'
import type { Operation } from '../../../src/core/protocol/operation.ts'
import { isUnknownRecord } from '../../../src/core/protocol/unknown-record.ts'
import { compact } from '../../../src/core/base/compact.ts'
import type {
  Exchange,
  ExchangeReply,
  ExchangeRequest,
} from '../../../src/core/traffic/exchange.ts'
import { recogniseOperation } from '../../../src/core/traffic/recognise-operation.ts'

type Message = ExchangeRequest | ExchangeReply

const isCall = ({ from }: Exchange): boolean => from.party === 'subject'

function parsed(text: string | undefined): unknown {
  try {
    return JSON.parse(text ?? '')
  } catch {
    return undefined
  }
}

const bodies = new WeakMap<Message, unknown>()

/** The body's JSON, parsed once: hundreds of mistakes are made in one trace. It is never changed in place. */
function jsonOf(message: Message): unknown {
  if (!bodies.has(message)) bodies.set(message, parsed(message.body))
  return bodies.get(message)
}

/** JSON, or the words as they stand. */
const valueOf = (text: string): unknown => parsed(text) ?? text

/** Every value at the pointer, in which `*` stands for each entry of a list, becomes what `change` makes of it. */
function changed(
  value: unknown,
  [key, ...rest]: readonly string[],
  change: (old: unknown) => unknown,
): unknown {
  if (key === undefined) return change(value)
  if (key === '*')
    return Array.isArray(value) ? value.map((each) => changed(each, rest, change)) : value
  if (!isUnknownRecord(value)) return value
  if (rest.length > 0 && !Object.hasOwn(value, key)) return value
  return { ...value, [key]: changed(value[key], rest, change) }
}

function changeOfValue(text: string): (old: unknown) => unknown {
  const [from, to] = text.split(' => ')
  if (to !== undefined)
    return (old) =>
      JSON.stringify(old) === JSON.stringify(valueOf(from ?? '')) ? valueOf(to) : old
  if (text === 'gone') return () => undefined
  if (text === 'upper case') return (old) => String(old).toUpperCase()
  if (text === 'lower case') return (old) => String(old).toLowerCase()
  if (text === 'in a list') return (old) => [old]
  if (text === 'doubled') return (old) => (Array.isArray(old) ? [...old, ...old] : old)
  if (text.startsWith('= ')) return () => valueOf(text.slice(2))
  throw new Error(`no change of a value: ${text}`)
}

/** The body's JSON with a change: `/items/0/id gone`. The whole body is `/`. */
function changedBody(body: unknown, change: string): unknown {
  const [pointer = '', ...words] = change.split(' ')
  const path = pointer === '/' ? [] : pointer.split('/').slice(1)
  return changed(body, path, changeOfValue(words.join(' ')))
}

function withBody<Kind extends Message>(message: Kind, text: string | undefined): Kind {
  const { body: _body, wire: _wire, ...rest } = message
  return { ...rest, ...compact({ body: text }) } as Kind
}

function withHeader<Kind extends Message>(message: Kind, change: string): Kind {
  const [name = '', ...words] = change.split(' ')
  const others = message.headers.filter(([key]) => key.toLowerCase() !== name)
  const value = words.join(' ')
  const headers = value === 'gone' ? others : [...others, [name, value.slice(2)] as const]
  return { ...message, headers }
}

/** A message with what follows the colon of a line. */
function changedMessage<Kind extends Message>(message: Kind, change: string): Kind {
  const [kind = '', ...words] = change.split(' ')
  const rest = words.join(' ')
  if (kind === 'header') return withHeader(message, rest)
  if (change === 'no body') return withBody(message, undefined)
  if (change === 'no JSON') return withBody(message, 'no JSON')
  if (kind === 'text') {
    const [from = '', to = ''] = rest.split(' => ')
    return message.body === undefined ? message : withBody(message, message.body.replace(from, to))
  }
  if (kind === 'status' && 'status' in message) {
    const [from, to] = rest.split(' => ').map(Number)
    return to === undefined
      ? { ...message, status: Number(rest) }
      : message.status === from
        ? { ...message, status: to }
        : message
  }
  const { body } = message
  const json = jsonOf(message)
  if (json === undefined && body !== undefined && /^\w+=/.test(body)) {
    const fields: unknown = changedBody(Object.fromEntries(new URLSearchParams(body)), change)
    return withBody(message, new URLSearchParams(fields as Record<string, string>).toString())
  }
  if (json === undefined) return message
  const text = JSON.stringify(changedBody(json, change))
  return text === body ? message : withBody(message, text)
}

/** The request goes elsewhere, and may be of another operation. */
function readdressed(exchange: Exchange, change: string): Exchange {
  const [kind, name = '', ...words] = change.split(' ')
  const url = new URL(exchange.request.url)
  const value = words.join(' ')
  if (kind === 'method') return recognised(exchange, { ...exchange.request, method: name })
  if (kind === 'path')
    url.pathname =
      name === '=' ? value : url.pathname.replace(new RegExp(name), value.replace(/^=> /, ''))
  else if (value === 'gone') url.searchParams.delete(name)
  else url.searchParams.set(name, value.slice(2))
  return recognised(exchange, { ...exchange.request, url: url.href })
}

function recognised(exchange: Exchange, request: ExchangeRequest): Exchange {
  const { operation: _operation, params: _params, ...rest } = exchange
  const found = recogniseOperation(request.method, request.url)
  return { ...rest, request, ...compact({ operation: found?.row.id, params: found?.params }) }
}

type Changed = readonly Exchange[]

/** Another call, about the same: `then POST /confirm`, or to another path: `then POST to /orders`. */
function furtherCall(exchange: Exchange, change: string): Exchange {
  const [, method = '', first = '', other] = change.split(' ')
  const url = new URL(exchange.request.url)
  url.pathname = other ?? url.pathname + first
  return recognised(exchange, { ...exchange.request, method, url: url.href })
}

const dayMs = 86_400_000

/** The same once more, behind everything else. */
const dayLater = ({ wall, ...exchange }: Exchange): Exchange => ({
  ...exchange,
  ...(wall ? { wall: { ...wall, startedAt: wall.startedAt + dayMs } } : {}),
  seq: exchange.seq + dayMs,
  startedAt: exchange.startedAt + dayMs,
})

/** What becomes of one exchange. */
function changedExchange(exchange: Exchange, side: string, change: string): Changed {
  const [kind = ''] = change.split(' ')
  if (change === 'left out') return []
  if (kind === 'then') return [exchange, furtherCall(exchange, change)]
  if (change === 'twice') return [exchange, exchange]
  if (change === 'again later') return [exchange, dayLater(exchange)]
  if (change === 'late' || change === 'early') {
    const by = change === 'late' ? dayMs : -dayMs
    return [{ ...exchange, startedAt: exchange.startedAt + by }]
  }
  if (['method', 'path', 'query'].includes(kind)) return [readdressed(exchange, change)]
  const part = side === 'call' ? 'request' : 'reply'
  const message = exchange[part]
  const made = message && changedMessage(message, change)
  // What is known of an exchange is known by its object: only one that differs is another.
  return [made === message ? exchange : { ...exchange, [part]: made }]
}

const typeOfEvent = (event: unknown): unknown => {
  if (!isUnknownRecord(event)) return undefined
  const inner = isUnknownRecord(event['event']) && !('eventType' in event) ? event['event'] : event
  return inner['eventType'] ?? inner['type']
}

function changedEvent(event: unknown, type: string, change: string): readonly unknown[] {
  const found = typeOfEvent(event)
  if (found === undefined || (type !== '*' && found !== type)) return [event]
  if (change === 'left out') return []
  if (change === 'twice') return [event, event]
  const [, other] = change.split('followed by ')
  if (other !== undefined) return [event, changedBody(event, `/eventType = "${other}"`)]
  return [changedBody(event, change)]
}

const isWebhook = ({ operation }: Exchange): boolean => {
  if (operation === undefined) return false
  const { webhook, declaredAs }: Operation = operationRow(operation)
  return webhook !== undefined || /^receive(Customer|Loyalty)Event$/.test(declaredAs ?? '')
}

/** Events that the service emits: those that it calls with, and those of polls that it answers. */
function withChangedEvents(exchange: Exchange, type: string, change: string): Changed {
  const { request, reply } = exchange
  if (isCall(exchange)) {
    if (!isWebhook(exchange)) return [exchange]
    const event = jsonOf(request)
    const events = changedEvent(event, type, change)
    if (events.length === 1 && events[0] === event) return [exchange]
    return events.map((each) => ({
      ...exchange,
      request: withBody(request, JSON.stringify(each)),
    }))
  }
  if (!exchange.operation?.startsWith('poll') || reply?.status !== 200) return [exchange]
  const list = jsonOf(reply)
  if (!Array.isArray(list)) return [exchange]
  const events = list.flatMap((each) => changedEvent(each, type, change))
  if (events.length === list.length && events.every((each, index) => each === list[index]))
    return [exchange]
  const text = JSON.stringify(events)
  return text === JSON.stringify(list)
    ? [exchange]
    : [{ ...exchange, reply: withBody(reply, text) }]
}

/** Further numbers that an exchange has room for. */
const room = 10

/** The trace with the mistakes of a line, which `; ` separates. */
export const mutateTrace = (trace: TraceData, line: string): TraceData =>
  line.split('; ').reduce(withMistake, trace)

function withMistake(trace: TraceData, line: string): TraceData {
  const [where = '', ...words] = line.split(': ')
  const change = words.join(': ')
  const [chosen = '', condition] = where.split(' where ')
  const [side = '', name = '*'] = chosen.split(' ')
  const [operations = '*', number] = name.split('#')
  const named = operations.split(',')
  const isSide = (exchange: Exchange): boolean =>
    side === 'at'
      ? trace.steps[exchange.seq]?.startsWith(operations) === true
      : isCall(exchange) === (side !== 'answer') &&
        (operations === '*' || named.includes(exchange.operation ?? ''))
  let count = 0
  const isChosen = (exchange: Exchange): boolean => {
    if (!isSide(exchange)) return false
    if (condition !== undefined && !meets(exchange, side, condition)) return false
    count++
    if (number === undefined) return true
    return number.endsWith('+') ? count >= Number.parseInt(number) : count === Number(number)
  }
  const exchanges = trace.exchanges.flatMap((exchange) => {
    const made =
      side === 'event'
        ? withChangedEvents(exchange, name, change)
        : isChosen(exchange)
          ? changedExchange(exchange, side, change)
          : [exchange]
    // The first keeps its number, and so its step.
    return made.map((each, index) =>
      index === 0 ? each : { ...each, seq: each.seq + index / room },
    )
  })
  return { ...trace, exchanges: exchanges.toSorted((a, b) => a.seq - b.seq) }
}

/** The message has this value in its body: `/lastEvent = "READY"`. */
function meets({ request, reply }: Exchange, side: string, condition: string): boolean {
  const [pointer = '', value = ''] = condition.split(' = ')
  let found = false
  const message = side === 'call' ? request : reply
  const body = message && jsonOf(message)
  changed(body, pointer.split('/').slice(1), (old) => {
    found ||= JSON.stringify(old) === value
    return old
  })
  return found
}
