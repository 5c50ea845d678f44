/** What may happen at a time in the text of near misses: `confirmOrder a 503`, `polled CREATED a, X_HINT b took=5`. */
import type { Fact } from '../../src/core/engine/fact.ts'
import { operations, type OperationId } from '../../src/core/protocol/catalogue.ts'
import { deliveryStatuses } from '../../src/core/protocol/logistics/status.ts'
import { orderStatuses, orderTypes, type Order } from '../../src/core/protocol/orders/order.ts'
import { minimalOrder } from './minimal-order.ts'
import * as make from './near-miss-steps.ts'
import { splitText, timesOf } from './near-miss-text.ts'
import type { Steps } from './near-misses.ts'
import { oneOf } from './one-of.ts'
import { noon } from './transcript.ts'

interface Action {
  readonly at: number
  /** The words behind the verb, and the whole of them: `CREATED a, X_HINT b`. */
  readonly words: readonly string[]
  readonly text: string
  /** What commas separate; `CREATED {0..9}` is ten. */
  readonly list: readonly string[]
  /** What a call may add: `took=5`, and the status, which is a number at the end. */
  readonly more: make.More
  /** Options of a few verbs. */
  readonly extra: Readonly<Record<string, string>>
  /** What happens meanwhile. */
  readonly inside: Steps
}

/** Options of any call. */
const callOptions: ReadonlySet<string> = new Set(
  'took by to origin query token headers key body failure retryAfter answer fault'.split(' '),
)
const extraOptions: ReadonlySet<string> = new Set([
  'type',
  'merchant',
  'createdAt',
  'operation',
  'orderId',
])

const operationIds = operations.map(({ id }) => id)
const ofDeliveries = new Set(
  operations.filter(({ hosts }) => hosts[0] === 'delivery-platform').map(({ id }) => id),
)

/** `createdAt=500` is so many milliseconds after noon, and any other text itself. */
const dateOf = (text: string): string =>
  Number.isNaN(Number(text)) ? text : new Date(noon + Number(text)).toISOString()

function orderOptions({ type, merchant }: Action['extra']): Parameters<typeof make.created>[2] {
  return {
    ...(type === undefined ? {} : { type: oneOf(orderTypes, type) }),
    ...(merchant === undefined ? {} : { merchant }),
  }
}

/** An event as a poll or a webhook shows it, with a date of its own. */
const dated = (eventId: string, createdAt: string) => {
  const [eventType, orderId] = eventId.split(' ')
  return { eventId, eventType, orderId, createdAt: dateOf(createdAt) }
}

function webhookOf({ at, list: [eventId = ''], more, extra, inside }: Action): Steps {
  const { operation, createdAt } = extra
  return make.webhook(at, eventId, inside, {
    took: 0,
    ...(operation === undefined ? {} : { operation: oneOf(operationIds, operation) }),
    ...(createdAt === undefined ? {} : { body: dated(eventId, createdAt) }),
    ...more,
  })
}

function plannedOf({ at, words: [kind, ...rest] }: Action): Steps {
  if (kind === 'event.offer') return make.planned(at, { kind, eventId: rest.join(' ') })
  const [orderId = '', trigger] = rest
  return make.planned(at, {
    kind: oneOf(['order.apply'], kind),
    orderId,
    trigger: oneOf(['confirm', 'conclude'], trigger),
  })
}

const ticketRead = (orderId: string, status: string | undefined): Fact => ({
  kind: 'ticket.read',
  orderId,
  status: oneOf(orderStatuses, status),
  profile: 'DELIVERY',
  order: minimalOrder(orderId) as unknown as Order,
})

const verbs: Readonly<Record<string, (action: Action) => Steps>> = {
  created: ({ at, list, extra }) => list.map((each) => make.created(at, each, orderOptions(extra))),
  known: ({ at, list, extra }) => list.map((each) => make.known(at, each, orderOptions(extra))),
  emitted: ({ at, list, extra: { createdAt } }) =>
    list.map((each) =>
      make.emitted(at, each, createdAt === undefined ? {} : { createdAt: dateOf(createdAt) }),
    ),
  polled: ({ at, list, more, extra: { createdAt } }) =>
    make.polled(at, list, {
      ...(createdAt === undefined ? {} : { answer: list.map((each) => dated(each, createdAt)) }),
      ...more,
    }),
  acknowledged: ({ at, list, more }) => make.acknowledged(at, list, more),
  read: ({ at, words: [order = '', status], more }) =>
    make.read(at, order, oneOf(orderStatuses, status), more),
  token: ({ at, words: [name = ''], more }) => make.token(at, name, more),
  webhook: webhookOf,
  announced: ({ at, text }) => make.announced(at, text),
  moved: ({ at, words: [order = '', status, forced] }) =>
    make.moved(at, order, oneOf(orderStatuses, status), forced === 'forced' || undefined),
  /** `unconfirmed a 300000`: the host cancels it, since it was not confirmed in that time. */
  unconfirmed: ({ at, words: [orderId = '', ms] }) => ({
    at,
    fact: {
      kind: 'order.moved',
      orderId,
      trigger: 'cancel',
      from: 'CREATED',
      to: 'CANCELLED',
      unconfirmedMs: Number(ms),
    },
  }),
  deliveryCreated: ({ at, text }) => make.deliveryCreated(at, text),
  deliveryMoved: ({ at, words: [order = '', status] }) =>
    make.deliveryMoved(at, order, oneOf(deliveryStatuses, status)),
  ticketRead: ({ at, words: [order = '', status] }) => ({
    at,
    fact: ticketRead(order, status),
  }),
  probed: ({ at, words: [order = '', status] }) => ({
    at,
    probed: order,
    ...(status === undefined ? {} : { status }),
  }),
  /** `counted a tickets 2`; without a number they cannot be counted. */
  counted: ({ at, words: [order = '', kind = '', ...options], more: { status: count } }) => ({
    at,
    counted: order,
    kind,
    mayRepeat: options.includes('mayRepeat'),
    evenIfCancelled: options.includes('evenIfCancelled'),
    ...(count === undefined ? {} : { count }),
  }),
  operatorCancels: ({ at, text }) => ({ at, operatorCancels: text }),
  cancellationRequested: ({ at, text }) => make.cancellationRequested(at, text),
  cancellationAnswered: ({ at, words: [order = '', answer] }) =>
    make.cancellationAnswered(at, order, oneOf(['accept', 'deny'], answer)),
  planned: plannedOf,
  faultAdded: ({ at }) => make.faultAdded(at),
  faultRemoved: ({ at }) => make.faultRemoved(at),
  /** The process of the service is ended. */
  died: ({ at }) => ({ at, fact: { kind: 'session.subject-ended', signal: 'KILL' } }),
  /** The process of the service is started anew. */
  renewed: ({ at }) => ({ at, fact: { kind: 'session.subject-renewed' } }),
  faultFired: ({ at, words: [on = '', end], extra: { orderId } }) =>
    make.faultFired(at, on, {
      ...(end === undefined ? {} : { distortion: { effect: false, end: oneOf(['hang'], end) } }),
      ...(orderId === undefined ? {} : { orderId }),
    }),
  givenUp: ({ at, text }) => ({ at, fact: { kind: 'event.given-up', eventId: text, attempts: 2 } }),
  /** Any other fact, as JSON. */
  fact: ({ at, text }) => ({ at, fact: JSON.parse(text) as Fact }),
}

function callOf(verb: string, { at, words, more }: Action): Steps {
  const operation: OperationId = oneOf(operationIds, verb)
  const { status, ...rest } = more
  const made = ofDeliveries.has(operation) && more.to === undefined ? make.delivery : make.call
  const what = words.length === 0 ? operation : (`${operation} ${words.join(' ')}` as const)
  return made(at, what, status, rest)
}

const valueOf = (text: string): unknown => (/^["{[]/.test(text) ? JSON.parse(text) : text)

/**
 * `CREATED {0..2}` is `CREATED 0`, `CREATED 1`, `CREATED 2`; a `#` is the space before a third word of an event's id.
 */
function itemsOf(text: string): readonly string[] {
  return splitText(text, ',').flatMap((item) => {
    const [, before = '', from, to] = /^(.*)\{(\d+)\.\.(\d+)\}$/.exec(item.replace('#', ' ')) ?? []
    if (from === undefined) return [item.replace('#', ' ')]
    const count = Number(to) - Number(from) + 1
    return Array.from({ length: count }, (_, index) => `${before}${Number(from) + index}`)
  })
}

function actionOf(at: number, text: string, stepsIn: (text: string) => Steps): Steps {
  const [verb = '', ...parts] = splitText(text, ' ')
  const words: string[] = []
  const more: Record<string, unknown> = {}
  const extra: Record<string, string> = {}
  let inside: Steps = []
  for (const part of parts) {
    const [, key = '', value = ''] = /^([a-zA-Z]+)=(.*)$/s.exec(part) ?? []
    if (part.startsWith('[')) inside = stepsIn(part.slice(1, -1))
    else if (key === 'took') more[key] = Number(value)
    else if (callOptions.has(key)) more[key] = valueOf(value)
    else if (extraOptions.has(key)) extra[key] = value
    else if (key !== '') throw new Error(`there is no option ${key}: ${text}`)
    else words.push(part.replace(/^"(.*)"$/, '$1'))
  }
  if (/^\d{1,3}$/.test(words.at(-1) ?? '')) more['status'] = Number(words.pop())
  const all = words.join(' ')
  const action = { at, words, text: all, list: itemsOf(all), more, extra, inside }
  return verbs[verb]?.(action) ?? callOf(verb, action)
}

/** The steps of `0,1000 confirmOrder a 503 & created $i`. */
export function stepsOf(text: string, stepsIn: (text: string) => Steps): Steps {
  const [, times = '', actions = ''] = /^(\S+) ?(.*)$/s.exec(text) ?? []
  return timesOf(times).map((at, index) => {
    if (actions === '') return { at }
    const filled = actions.replaceAll('$at', `${at}`).replaceAll('$i', `${index}`)
    return splitText(filled, '&').map((action) => actionOf(at, action, stepsIn))
  })
}
