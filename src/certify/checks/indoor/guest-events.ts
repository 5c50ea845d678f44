/** Checks of how an Ordering Application takes account events: IND-GEN, IND-EVR, and what stays apart from Orders. */
import { accountEventTypes } from '../../../core/protocol/indoor/events.ts'
import { defineChecks } from '../../judge/check.ts'
import { remembering, setMember, wrongCall, wrongReply } from '../../judge/defect.ts'
import {
  answersOf,
  bodyValue,
  callsOf,
  each,
  eachEmitted,
  every,
  hasStatus,
  hasStatusClass,
  sighting,
  some,
  where,
} from '../../judge/look.ts'
import type { Observed } from '../../judge/trace.ts'
import { isSameAccount, mutations } from './guest-looks.ts'
import { hostOperations } from './vocabulary.ts'
import { statusOf } from '../orders/hosted-orders.ts'
import { declaresItemCancellation } from '../orders/host-manifest.ts'

const guest = { roles: ['ordering-application'], needs: ['indoor'] } as const
const orders = { ...guest, procedures: ['guest-orders'] } as const

const events = answersOf('receiveAccountEvent')
const isAccountEvent = (type: string): boolean => accountEventTypes.some((known) => known === type)

/** The type and id of an account event in a request; undefined for another request. */
async function accountEventIn(request: Request) {
  if (request.method !== 'POST') return undefined
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => null)
  const [type, id] = [bodyValue(body, '/eventType'), bodyValue(body, '/eventId')]
  return typeof type === 'string' && isAccountEvent(type) && typeof id === 'string'
    ? { type, id }
    : undefined
}

/** The order is shown as delivered once items were added to its account. */
const movedByEvents = remembering('takes an account event for one of the order', () => {
  let isHeard = false
  const moved = wrongReply('takes an account event for one of the order', 'getOrder', (reply) => {
    if (isHeard) setMember(reply.body, ['status'], 'DELIVERED')
  })
  return {
    ...moved,
    async answer(request, forward) {
      const event = await accountEventIn(request)
      isHeard ||= event?.type === 'ACCOUNT_ITEM_ADDED'
      return moved.answer ? moved.answer(request, forward) : forward(request)
    },
  }
})

/** An event is refused when it comes again. */
const refusesRepetitions = remembering('refuses an account event that comes again', () => {
  const seen = new Set<string>()
  return {
    about: 'refuses an account event that comes again',
    async answer(request, forward) {
      const event = await accountEventIn(request)
      if (!event) return forward(request)
      if (seen.has(event.id)) return new Response(null, { status: 409 })
      seen.add(event.id)
      return forward(request)
    },
  }
})

const isSameCall = (one: Observed, other: Observed): boolean =>
  one.operation === other.operation &&
  one.exchange.request.url === other.exchange.request.url &&
  one.exchange.request.body === other.exchange.request.body

export const guestEventChecks = defineChecks([
  {
    clauses: ['IND-GEN-04', 'IND-OPS-12'],
    ...orders,
    look: every(each(events, hasStatusClass(2)), (trace) =>
      events(trace).length === 0
        ? []
        : some(
            callsOf(...hostOperations),
            'it calls no operation of the Software Service after an account was opened for it',
          )(trace),
    ),
    remedy: 'Read accounts at the Software Service, and answer account events with a 2xx status.',
    defect: wrongReply('answers account events with 500', 'receiveAccountEvent', (reply) => {
      reply.status = 500
    }),
  },
  {
    clauses: ['IND-GEN-05'],
    ...orders,
    look: function* (trace) {
      const before = trace.at('guest-orders/read-CONFIRMED').at(-1)
      const after = trace.at('guest-orders/read-after-event').at(-1)
      if (!before || !after) return
      const heard = events(trace).find(
        ({ exchange }) => exchange.seq > before.exchange.seq && exchange.seq < after.exchange.seq,
      )
      if (heard)
        yield sighting(
          [before, heard, after],
          statusOf(before) === statusOf(after)
            ? undefined
            : `an account event changed its order from ${String(statusOf(before))} to ${String(statusOf(after))}`,
        )
    },
    remedy: 'Keep the status of an order whatever becomes of its account: Orders alone moves it.',
    defect: movedByEvents,
  },
  {
    clauses: ['IND-TEN-04'],
    ...orders,
    look: function* (trace) {
      for (const call of trace.at('guest-orders/cancel-order-item')) {
        // The operation is optional: one that does not have it need not answer 202.
        if (!declaresItemCancellation(trace)) continue
        const event = trace.emitted().find(({ eventType, observed }) => {
          return eventType === 'ITEM_CANCELLED' && observed.exchange.seq > call.exchange.seq
        })
        yield sighting(
          [call, ...(event ? [event.observed] : [])],
          call.status === 202
            ? event
              ? undefined
              : 'it sent no ITEM_CANCELLED after it accepted the cancel of an item of an INDOOR order'
            : hasStatus(202)(call, trace),
        )
      }
    },
    whyUnseen: 'it does not declare partialItemCancellation',
    remedy: 'Cancel the item of the order by the rules of Orders: 202, then ITEM_CANCELLED.',
    defect: wrongReply('leaves the cancel of items to Indoor', 'cancelOrderItem', (reply) => {
      reply.status = 409
    }),
  },
  {
    clauses: ['IND-EVR-01'],
    ...guest,
    procedures: ['guest-visit'],
    look: every(
      each(events, () => undefined),
      each(
        where(callsOf(), ({ exchange }) => exchange.to.role === 'software-service'),
        ({ operation, url }) =>
          operation === 'pollingEvents' || /\/accounts\/.*events/.test(url.pathname)
            ? `it polls for account events at ${url.pathname}`
            : undefined,
      ),
    ),
    remedy: 'Receive account events by webhook: there is nothing to poll for them.',
    defect: wrongCall('polls for account events', 'listAccountPayments', (call) => {
      call.url = call.url.replace('/accounts/payments', '/accounts/events')
    }),
  },
  {
    clauses: ['IND-EVR-03'],
    ...guest,
    procedures: ['guest-repeated-events'],
    look: function* (trace) {
      const first = new Map<string, Observed>()
      const calls = trace.calls(...mutations)
      for (const { eventId, eventType, observed } of trace.received()) {
        if (eventId === undefined || !isAccountEvent(eventType ?? '')) continue
        const known = first.get(eventId)
        if (!known) {
          first.set(eventId, observed)
          continue
        }
        const isTaken = observed.status >= 200 && observed.status < 300
        const between = calls.filter(
          ({ exchange }) =>
            exchange.seq > known.exchange.seq && exchange.seq < observed.exchange.seq,
        )
        // Payments of the same amount may well follow each other.
        const again = calls.find(
          (call) =>
            call.operation !== 'createPayment' &&
            call.exchange.seq > observed.exchange.seq &&
            between.some((earlier) => isSameCall(earlier, call)),
        )
        yield sighting(
          [known, observed, ...(again ? [again] : [])],
          isTaken
            ? again && `it repeats ${again.operation} after ${eventType} came again`
            : `it answered ${observed.status} to an event that it has had`,
        )
      }
    },
    remedy: 'Remember eventIds, answer a repeated event with a 2xx status, and do nothing.',
    defect: refusesRepetitions,
  },
  {
    clauses: ['IND-EVR-04'],
    ...guest,
    procedures: ['guest-lost-event'],
    look: function* (trace) {
      const [note] = trace.notes('lost')
      if (!note) return
      const calls = trace.calls().filter(({ exchange }) => exchange.seq > note.after)
      const lock = calls.find(
        ({ operation, status }) => operation === 'preCloseAccount' && status === 202,
      )
      const next = calls.find(
        (call) =>
          lock &&
          call.exchange.seq > lock.exchange.seq &&
          mutations.some((operation) => operation === call.operation) &&
          isSameAccount(call, lock),
      )
      if (!lock || !next) return
      const read = calls.find(
        ({ operation, status, exchange }) =>
          (operation === 'getAccount' || operation === 'getAccountById') &&
          status === 200 &&
          exchange.seq > lock.exchange.seq &&
          exchange.seq < next.exchange.seq,
      )
      yield sighting(
        [lock, ...(read ? [read] : []), next],
        read
          ? undefined
          : `it calls ${next.operation} without a read of the account although no event of its lock came`,
      )
    },
    remedy: 'Read the account when an event is missing, before you change anything of it.',
    defect: {
      about: 'goes on without a read of the account',
      async call(request, forward) {
        const { pathname, origin, search } = new URL(request.url)
        if (request.method !== 'GET' || !pathname.endsWith('/accounts')) return forward(request)
        const headers = new Headers(request.headers)
        headers.set('content-type', 'application/json')
        const body = JSON.stringify({ amount: 1, methodInfo: { method: 'PIX' } })
        const url = `${origin}${pathname}/payments${search}`
        return forward(new Request(url, { method: 'POST', headers, body }))
      },
    },
  },
  {
    clauses: ['IND-EVR-05'],
    ...orders,
    look: eachEmitted(undefined, ({ eventType = '', observed }) =>
      observed.operation !== 'receiveAccountEvent' && isAccountEvent(eventType)
        ? `it sends ${eventType} among the events of Orders`
        : undefined,
    ),
    remedy: 'Keep the events of accounts out of those of Orders.',
    defect: wrongReply('hands account events on in its polls', 'pollingEvents', ({ body }) => {
      if (Array.isArray(body))
        for (const event of body) setMember(event, ['eventType'], 'ACCOUNT_OPENED')
    }),
  },
])
