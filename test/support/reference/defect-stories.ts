/**
 * For each defect a story that shows it: the same events with and without the defect, told apart by the traffic (or the
 * probe) alone.
 */
import type { WireEvent } from '../scripted-ordering-application.ts'
import type { DefectName } from '../../../src/demo/defects.ts'
import {
  answerJson,
  type ReferenceHarness,
  type ReferenceHarnessOptions,
  type ServiceRequest,
  neverAnswer,
} from './reference-harness.ts'

export interface DefectStory {
  readonly lab?: Omit<ReferenceHarnessOptions, 'defects'>
  /** Runs the story; returns whether the wrong behaviour was observed. */
  readonly seen: (lab: ReferenceHarness) => Promise<boolean>
}

const stepNames = ['confirm', 'preparing', 'ready-for-pickup', 'dispatch', 'delivered']
const isStep = ({ name }: ServiceRequest): boolean => stepNames.includes(name)
const minute = 60_000

const distinct = (values: readonly string[]): number => new Set(values).size

/** Number of distinct idempotency keys among the delivery creations. */
const creations = (lab: ReferenceHarness): number =>
  distinct(lab.of('platform create').map(({ requestId }) => requestId))

const gapsOf = (all: readonly ServiceRequest[]): readonly number[] =>
  all.slice(1).map(({ at }, index) => at - (all[index]?.at ?? 0))

/** The maximum number of requests in any window of `ms`. */
const maxWithin = (all: readonly ServiceRequest[], ms: number): number =>
  Math.max(
    0,
    ...all.map(({ at }) => all.filter((each) => each.at >= at && each.at < at + ms).length),
  )

/** The longest sequence of requests with gaps below `ms`. */
function longestRun(all: readonly ServiceRequest[], ms: number): number {
  let longest = all.length > 0 ? 1 : 0
  let run = longest
  for (const gap of gapsOf(all)) {
    run = gap <= ms ? run + 1 : 1
    longest = Math.max(longest, run)
  }
  return longest
}

/** The first `times` requests of a name get this reply. */
function first(
  lab: ReferenceHarness,
  name: string,
  times: number,
  reply: () => Promise<Response>,
): void {
  let left = times
  lab.between((sent) => (sent.name === name && left-- > 0 ? reply() : undefined))
}

/** Drops all events of this type. */
const lose = (lab: ReferenceHarness, eventType: string): void =>
  lab.reshape((events) => events.filter((each) => (each as WireEvent).eventType !== eventType))

const read = (lab: ReferenceHarness, orderId = 'o-1'): boolean =>
  lab.of('order', orderId).some(({ status }) => status === 200)

const status = (lab: ReferenceHarness, orderId = 'o-1'): string | undefined =>
  lab.originator.orders.get(orderId)?.status

const voucher = { value: 1, currency: 'BRL', type: 'PREPAID', method: 'FOOD_VOUCHER' }

/** An order that is read, again and again, and never confirmed. */
const unreadable = (more: object, id = 'o-1'): DefectStory => ({
  async seen(lab) {
    const items = [{ id: 'x', externalCode: '7', quantity: 1 }]
    const customer = { name: 'Ana', phone: { number: '1' } }
    lab.place(id, 'TAKEOUT', { items, customer, ...more })
    await lab.pass(10_000)
    return lab.of('order', id).length > 0 && lab.of('confirm', id).length === 0
  },
})

/** Calls for an order before its first read. */
function actsUnread(lab: ReferenceHarness, orderId = 'o-1'): boolean {
  const calls = lab.sent.filter((each) => each.orderId === orderId)
  const firstRead = calls.findIndex(({ name, status: code }) => name === 'order' && code === 200)
  const firstStep = calls.findIndex(isStep)
  return firstStep >= 0 && (firstRead < 0 || firstStep < firstRead)
}

function statusGoesBack(lab: ReferenceHarness, orderId = 'o-1'): boolean {
  const steps = lab.sent.filter((each) => each.orderId === orderId && isStep(each))
  const ranks = steps.map(({ name }) => stepNames.indexOf(name))
  return ranks.some((rank, index) => index > 0 && rank < (ranks[index - 1] ?? 0))
}

const acknowledged = (lab: ReferenceHarness): readonly string[] =>
  lab.of('acknowledge').flatMap(({ json }) => (json['eventIds'] ?? []) as string[])

const acknowledgesNothing = (lab: ReferenceHarness): boolean =>
  lab.of('acknowledge').some(({ json }) => (json['eventIds'] as string[]).length === 0)

const timesPolled = (lab: ReferenceHarness): number =>
  Math.max(0, ...lab.polled.map((id) => lab.polled.filter((each) => each === id).length))

/** Runs an order of this profile until it ends or is stuck. */
const runs =
  (
    seen: (lab: ReferenceHarness) => boolean,
    ms = minute,
    profile: 'DELIVERY' | 'TAKEOUT' = 'TAKEOUT',
  ) =>
  async (lab: ReferenceHarness): Promise<boolean> => {
    lab.place('o-1', profile)
    await lab.pass(ms)
    return seen(lab)
  }

interface Failing {
  readonly name: string
  readonly times: number
  readonly reply: () => Promise<Response>
}

/** The same, with this reply to the first calls of an operation. */
const withFailing = (
  { name, times, reply }: Failing,
  seen: (lab: ReferenceHarness) => boolean,
  ms = minute,
): DefectStory => ({
  lab: { platform: true },
  async seen(lab) {
    first(lab, name, times, reply)
    return runs(seen, ms, 'DELIVERY')(lab)
  },
})

/** It is killed at the first call of a name, before or after that takes effect, and started again. */
const killedAt = (
  name: string,
  when: 'before' | 'after',
  seen: (lab: ReferenceHarness) => boolean,
  /** No order is read before. */
  isUnread = false,
): DefectStory => ({
  lab: { platform: true, restarts: true },
  async seen(lab) {
    let isKilled = false
    lab.between((sent, send) => {
      if (isKilled) return undefined
      if (isUnread && sent.name === 'order') return neverAnswer()
      if (sent.name !== name) return undefined
      isKilled = true
      return (when === 'after' ? send() : Promise.resolve()).then(() => {
        lab.restart()
        return neverAnswer()
      })
    })
    return runs(seen, 2 * minute, 'DELIVERY')(lab)
  },
})

const unavailable = () => answerJson(503)
const manyTimes = 1000

/** Cancels an order once it is confirmed and its delivery exists. */
async function cancelledOnTheWay(lab: ReferenceHarness): Promise<void> {
  lab.originator.script('preparing', () => ({ status: 202 }))
  lab.place('o-1', 'DELIVERY')
  await lab.pass(8000)
  lab.originator.change('o-1', { status: 'CANCELLED' })
  lab.originator.announce('o-1', 'CANCELLED')
  await lab.pass(minute)
}

/** Requests the cancellation of a confirmed order, with this outcome at the Ordering Application. */
async function asksToCancel(lab: ReferenceHarness, outcome: string): Promise<void> {
  let accepts = false
  lab.originator.script('preparing', () => (accepts ? undefined : { status: 202 }))
  lab.place('o-1', 'DELIVERY')
  await lab.pass(5000)
  const requested = lab.service.requestCancellation('o-1')
  await lab.clock.settle()
  await requested
  lab.originator.announce('o-1', outcome)
  await lab.pass(5000)
  accepts = true
}

/** A slow reply to GET says PREPARING after READY has been read. */
async function slowReading(lab: ReferenceHarness, takesMs: number): Promise<boolean> {
  lab.originator.script('preparing', () => ({ status: 202 }))
  lab.originator.script('delivered', () => ({ status: 202 }))
  lab.place()
  await lab.pass(5000)
  let slow = true
  lab.between((sent, send) => {
    if (sent.name !== 'order' || !slow) return undefined
    slow = false
    return send().then((response) => lab.clock.sleep(takesMs).then(() => response))
  })
  lab.originator.change('o-1', { status: 'PREPARING' })
  lab.originator.announce('o-1', 'PREPARING')
  await lab.pass(1500)
  lab.originator.change('o-1', { status: 'READY' })
  lab.originator.announce('o-1', 'READY_FOR_PICKUP')
  await lab.pass(takesMs + 1500)
  return lab.of('ready-for-pickup').length > 0 || lab.service.view('o-1')?.status === 'PREPARING'
}

/** Pushes all pending events by webhook. */
async function pushAll(lab: ReferenceHarness, ms: number): Promise<void> {
  const pushed = new Set<string>()
  for (let passed = 0; passed < ms; passed += 100) {
    for (const event of lab.originator.pending) {
      if (pushed.has(event.eventId)) continue
      pushed.add(event.eventId)
      await lab.push(event)
    }
    await lab.pass(100)
  }
}

const byWebhook = { channel: 'webhook' } as const

/** Pushes a webhook with a wrong signature, then with the right one. */
async function wrongThenRight(lab: ReferenceHarness): Promise<void> {
  lab.place()
  const [event] = lab.originator.pending
  if (!event) throw new Error('nothing is pending')
  await lab.push(event, 'deadbeef')
  await lab.pass(3000)
  if (lab.of('order').length === 0) await lab.push(event)
  await lab.pass(3000)
}

async function pushedWith(lab: ReferenceHarness, signature: string | null): Promise<number> {
  lab.place()
  const [event] = lab.originator.pending
  if (!event) throw new Error('nothing is pending')
  return (await lab.push(event, signature)).status
}

/** The answer to CREATED of an order that is being prepared: the event that was taken, or another one. */
async function pushedWhenPrepared(lab: ReferenceHarness, which: 'known' | 'late'): Promise<number> {
  lab.place()
  const [created] = lab.originator.pending
  if (!created) throw new Error('nothing is pending')
  await lab.push(created)
  await lab.pass(20_000)
  return (await lab.push(which === 'known' ? created : lab.originator.announce('o-1', 'CREATED')))
    .status
}

/** Duration of a webhook while GET is slow. */
async function slowDependency(lab: ReferenceHarness): Promise<number> {
  lab.between((sent, send) =>
    sent.name === 'order' ? lab.clock.sleep(3000).then(send) : undefined,
  )
  lab.place()
  const [event] = lab.originator.pending
  if (!event) throw new Error('nothing is pending')
  const pushed = await lab.push(event)
  await lab.pass(20_000)
  return pushed.status === 0 ? Number.POSITIVE_INFINITY : pushed.tookMs
}

/** An event arrives by webhook after a read and before the next step is taken. */
async function cancelledInTime(lab: ReferenceHarness, beforeMs: number): Promise<number> {
  lab.place()
  for (const event of lab.originator.pending) await lab.push(event)
  await lab.pass(beforeMs)
  lab.originator.change('o-1', { status: 'CANCELLED' })
  await lab.push(lab.originator.announce('o-1', 'CANCELLED'))
  const at = lab.clock.now()
  await lab.pass(minute)
  return lab.sent.filter((each) => isStep(each) && each.at > at).length
}

/** CONFIRMED is lost, and reads fail for a while afterwards. */
const lostAndUnreadable: DefectStory = {
  async seen(lab) {
    lose(lab, 'CONFIRMED')
    const until = lab.clock.now() + 35_000
    lab.between((sent) =>
      sent.name === 'order' && lab.of('confirm').length > 0 && lab.clock.now() < until
        ? answerJson(503)
        : undefined,
    )
    return runs((after) => status(after) !== 'DELIVERED', 3 * minute)(lab)
  },
}

/** A single event of an unknown type. */
const unheardOf = (seen: (lab: ReferenceHarness) => boolean): DefectStory => ({
  async seen(lab) {
    lab.originator.announce('o-9', 'UNHEARD_OF')
    await lab.pass(10_000)
    return seen(lab)
  },
})

const malformed = { eventId: 'poison', eventType: 7 }

/** A malformed event leads each batch until it is acknowledged. */
const poisoned: DefectStory = {
  async seen(lab) {
    lab.reshape((events) => [malformed, ...events])
    return runs((after) => !read(after))(lab)
  },
}

const tokensAfter = async (
  lab: ReferenceHarness,
  then: () => Promise<void>,
): Promise<readonly ServiceRequest[]> => {
  const before = lab.sent.length
  lab.originator.revoke()
  await then()
  return lab.sent.slice(before)
}

/** The token is revoked while an order is about to be confirmed. */
const withRevokedToken = (
  seen: (lab: ReferenceHarness, since: readonly ServiceRequest[]) => boolean,
): DefectStory => ({
  lab: byWebhook,
  async seen(lab) {
    lab.place()
    for (const event of lab.originator.pending) await lab.push(event)
    const since = await tokensAfter(lab, () => lab.pass(12_000))
    return seen(lab, since)
  },
})

const deadToken = (since: readonly ServiceRequest[]): number => {
  const dead = since.find(({ status: code }) => code === 401)?.token
  return since.filter(({ token }) => token === dead).length
}

/** An order of 45, of which its items are 40: all of it is paid. */
const withExtras = {
  total: { orderAmount: { value: 45, currency: 'BRL' } },
  payments: { methods: [{ type: 'PREPAID', method: 'PIX', value: 45, currency: 'BRL' }] },
}
const priceIn = (json: Readonly<Record<string, unknown>>): unknown =>
  (json['totalOrderPrice'] as { readonly value: unknown }).value

const street = (name: string) => ({
  fulfillment: { orderType: 'DELIVERY', delivery: { address: { street: name } } },
})

const streetIn = ({ json }: ServiceRequest): unknown =>
  ((json['dropoff'] as Record<string, unknown>)['address'] as Record<string, unknown>)['street']

const cancelledDelivery = (lab: ReferenceHarness): boolean => lab.of('platform cancel').length > 0

/** Kitchen tickets that were printed for an order. */
async function tickets(lab: ReferenceHarness, orderId = 'o-1'): Promise<number> {
  const url = `http://software-service.test/probe/orders/${orderId}/effects`
  return ((await (await lab.service.fetch(new Request(url))).json()) as { tickets: number }).tickets
}

/** An order is confirmed, and its events are pushed but for CONFIRMED, which is returned. */
async function pushedUntilConfirmed(lab: ReferenceHarness): Promise<WireEvent> {
  lab.originator.script('preparing', () => ({ status: 202 }))
  lab.place()
  for (const event of lab.originator.pending) await lab.push(event)
  await lab.pass(3000)
  const confirmed = lab.originator.pending.find(({ eventType }) => eventType === 'CONFIRMED')
  if (!confirmed) throw new Error('the order was not confirmed')
  return confirmed
}

/** Pushes CONFIRMED while the order cannot be read, and once more. */
async function pushedAgainAfterItFailed(lab: ReferenceHarness): Promise<number> {
  const event = await pushedUntilConfirmed(lab)
  first(lab, 'order', 1, unavailable)
  await lab.push(event)
  await lab.pass(2000)
  await lab.push(event)
  await lab.pass(minute)
  return tickets(lab)
}

/** The order is cancelled this long after its CREATED was announced. */
async function cancelledAfter(lab: ReferenceHarness, ms: number): Promise<number> {
  lab.originator.script('confirm', () => ({ status: 202 }))
  lab.place()
  await lab.pass(ms)
  lab.originator.change('o-1', { status: 'CANCELLED' })
  lab.originator.announce('o-1', 'CANCELLED')
  await lab.pass(minute)
  return tickets(lab)
}

export const defectStories: Readonly<Record<DefectName, DefectStory>> = {
  'forgets-event-ids': {
    lab: { platform: true },
    async seen(lab) {
      lab.between((sent) =>
        sent.name === 'acknowledge' && lab.of('acknowledge').length < 9
          ? answerJson(202)
          : undefined,
      )
      return runs((after) => creations(after) > 1, 30_000, 'DELIVERY')(lab)
    },
  },
  'dedupes-per-channel': {
    lab: { platform: true, channel: 'both' },
    async seen(lab) {
      lab.place('o-1', 'DELIVERY')
      await pushAll(lab, 8000)
      return creations(lab) > 1
    },
  },
  'checks-then-acts': {
    lab: byWebhook,
    async seen(lab) {
      const event = await pushedUntilConfirmed(lab)
      await Promise.all([lab.push(event), lab.push(event)])
      await lab.pass(5000)
      return (await tickets(lab)) > 1
    },
  },
  'prints-before-it-fails': {
    lab: byWebhook,
    seen: async (lab) => (await pushedAgainAfterItFailed(lab)) > 1,
  },
  'dedupes-before-handling': {
    lab: byWebhook,
    seen: async (lab) => (await pushedAgainAfterItFailed(lab)) === 0,
  },
  'prints-unread': { seen: async (lab) => (await cancelledAfter(lab, 0)) > 0 },
  'print-jobs-outlive-orders': { seen: async (lab) => (await cancelledAfter(lab, 2000)) > 0 },
  'print-jobs-in-memory': {
    lab: { restarts: true },
    async seen(lab) {
      lab.place('o-1', 'TAKEOUT')
      await lab.pass(5000)
      lab.restart()
      await lab.pass(2 * minute)
      return status(lab) === 'DELIVERED' && (await tickets(lab)) === 0
    },
  },
  'prints-by-event-alone': {
    async seen(lab) {
      lose(lab, 'CONFIRMED')
      lab.place()
      await lab.pass(minute)
      return (await tickets(lab)) === 0
    },
  },
  'drops-events-of-unknown-orders': {
    async seen(lab) {
      lose(lab, 'CREATED')
      lab.place()
      lab.originator.announce('o-1', 'PREPARATION_REQUESTED')
      await lab.pass(minute)
      return !read(lab)
    },
  },
  'created-resets-order': {
    async seen(lab) {
      let isEarly = true
      lab.reshape((events) =>
        events.filter((each) => !isEarly || (each as WireEvent).eventType !== 'CREATED'),
      )
      lab.place()
      lab.originator.change('o-1', { status: 'CANCELLED' })
      lab.originator.announce('o-1', 'CANCELLED')
      await lab.pass(5000)
      isEarly = false
      await lab.pass(5000)
      return lab.of('confirm').length > 0
    },
  },
  'confirms-unread': { seen: runs(actsUnread, 5000) },
  'trusts-event-status': { seen: runs(actsUnread, 5000) },
  'trusts-webhook-status': {
    lab: byWebhook,
    async seen(lab) {
      lab.place()
      await pushAll(lab, 3000)
      return actsUnread(lab)
    },
  },
  'follows-events': {
    async seen(lab) {
      lab.originator.script('delivered', () => ({ status: 202 }))
      lab.place()
      await lab.pass(12_000)
      lab.originator.announce('o-1', 'CONFIRMED')
      await lab.pass(5000)
      return statusGoesBack(lab)
    },
  },
  'counts-events': {
    async seen(lab) {
      lab.originator.script('confirm', () => ({ status: 202 }))
      lab.place()
      await lab.pass(5000)
      lab.originator.announce('o-1', 'PREPARATION_REQUESTED')
      await lab.pass(5000)
      return lab.of('preparing').length > 0
    },
  },
  'global-watermark': {
    async seen(lab) {
      lab.place()
      await lab.pass(3000)
      lab.originator.orders.get('o-1')
      lose(lab, 'CREATED')
      lab.place('o-2')
      lab.originator.announce('o-2', 'PREPARATION_REQUESTED', {
        createdAt: '2026-01-05T14:59:00.000Z',
      })
      await lab.pass(5000)
      return !read(lab, 'o-2')
    },
  },
  'equal-times-are-duplicates': {
    async seen(lab) {
      lab.place()
      lab.place('o-2')
      await lab.pass(5000)
      return !read(lab, 'o-2')
    },
  },
  'handles-first-twenty': {
    async seen(lab) {
      for (let number = 1; number <= 30; number++) lab.place(`o-${number}`)
      await lab.pass(5000)
      return !read(lab, 'o-30')
    },
  },
  'skips-page-after-full-page': {
    async seen(lab) {
      for (let number = 1; number <= 60; number++) lab.place(`o-${number}`)
      await lab.pass(1000)
      lab.place('o-61')
      await lab.pass(20_000)
      return !read(lab, 'o-61')
    },
  },
  'closes-on-request-accepted': {
    lab: { platform: true },
    async seen(lab) {
      await asksToCancel(lab, 'CANCELLATION_REQUEST_ACCEPTED')
      return lab.service.view('o-1')?.status === 'CANCELLED'
    },
  },
  'compensates-on-request-accepted': {
    lab: { platform: true },
    async seen(lab) {
      lab.originator.script('preparing', () => ({ status: 202 }))
      lab.place('o-1', 'DELIVERY')
      await lab.pass(5000)
      // The request may have come from elsewhere, or be an error of the host: nothing is cancelled before CANCELLED.
      lab.originator.announce('o-1', 'CANCELLATION_REQUEST_ACCEPTED')
      await lab.pass(5000)
      return cancelledDelivery(lab)
    },
  },
  'never-resumes': {
    lab: { platform: true },
    async seen(lab) {
      await asksToCancel(lab, 'CANCELLATION_REQUEST_DENIED')
      await lab.pass(2 * minute)
      return status(lab) !== 'DELIVERED'
    },
  },
  'takes-request-for-cancelled': {
    async seen(lab) {
      await asksToCancel(lab, 'CANCELLATION_REQUEST_DENIED')
      await lab.pass(2 * minute)
      return status(lab) !== 'DELIVERED'
    },
  },

  'acks-before-storing': {
    async seen(lab) {
      let isFirst = true
      lab.between((sent, send) => {
        if (sent.name !== 'acknowledge' || !isFirst) return undefined
        isFirst = false
        return send().then(neverAnswer)
      })
      return runs((after) => !read(after))(lab)
    },
  },
  'acks-only-new-events': {
    async seen(lab) {
      first(lab, 'acknowledge', 3, () => answerJson(202))
      return runs(({ originator }) => originator.pending.length > 0)(lab)
    },
  },
  'never-acks': { seen: runs(({ originator }) => originator.pending.length > 0) },
  'acks-known-types-only': unheardOf(({ originator }) => originator.pending.length > 0),
  'chokes-on-unknown-types': unheardOf(({ originator }) => originator.pending.length > 0),
  'acks-order-ids': {
    seen: runs((lab) => acknowledged(lab).some((id) => !lab.polled.includes(id))),
  },
  'acks-altered-ids': {
    async seen(lab) {
      // The ids of the scripted host are upper case already.
      lab.originator.announce('o-1', 'UNHEARD_OF', { eventId: 'event-in-lower-case' })
      await lab.pass(3000)
      return acknowledged(lab).some((id) => !lab.polled.includes(id))
    },
  },
  'acks-in-another-form': {
    seen: runs((lab) => timesPolled(lab) > 2 && acknowledged(lab).length === 0),
  },
  'acks-at-end-of-order': { seen: runs((lab) => timesPolled(lab) > 2) },
  'acks-every-fifth-poll': { seen: runs((lab) => timesPolled(lab) > 2) },
  'acks-nothing': {
    seen: runs(acknowledgesNothing),
  },
  'acks-filtered-batch': unheardOf(acknowledgesNothing),
  'poll-dies-on-error': {
    async seen(lab) {
      first(lab, 'poll', 1, unavailable)
      return runs((after) => !read(after))(lab)
    },
  },
  'poll-waits-for-orders': {
    async seen(lab) {
      lab.between((sent) => (sent.name === 'order' ? neverAnswer() : undefined))
      return runs((after) => Math.max(...gapsOf(after.of('poll'))) > 3000)(lab)
    },
  },
  'polls-without-pause': { seen: runs((lab) => Math.min(...gapsOf(lab.of('poll'))) < 500, 1200) },
  'polls-again-at-once': { seen: runs((lab) => Math.min(...gapsOf(lab.of('poll'))) < 500, 5000) },
  'poll-dies-on-poison': poisoned,
  'batch-aborts-on-poison': poisoned,
  'no-poll-timeout': {
    async seen(lab) {
      first(lab, 'poll', 1, neverAnswer)
      return runs((after) => !read(after))(lab)
    },
  },

  'ignores-signature': {
    lab: byWebhook,
    seen: async (lab) => (await pushedWith(lab, 'deadbeef')) !== 401,
  },
  'signature-optional': {
    lab: byWebhook,
    seen: async (lab) => (await pushedWith(lab, null)) !== 401,
  },
  'needs-item-codes': unreadable({ items: [{ id: 'x', quantity: 1 }] }),
  'needs-known-payments': unreadable({ payments: { methods: [{ ...voucher }] } }),
  'needs-whole-quantities': unreadable({
    items: [{ id: 'x', externalCode: '7', quantity: 0.385 }],
  }),
  'has-short-columns': unreadable({ observations: 'a'.repeat(121) }),
  'keeps-ids-as-numbers': unreadable({}, '90071992547409931234'),
  'needs-customers': unreadable({ customer: { name: '', phone: { number: '1' } } }),
  'chokes-on-null': unreadable({ observations: null }),
  'knows-words-of-today': unreadable({ channel: 'X_SINCE_2027' }),
  'needs-one-spelling-of-times': unreadable({ createdAt: '2026-01-05T12:00:00-03:00' }),
  'signs-what-it-parsed': {
    lab: byWebhook,
    async seen(lab) {
      lab.place()
      const [event] = lab.originator.pending
      const body = JSON.stringify(event, undefined, 1)
      return (await lab.push(event!, undefined, body)).status === 401
    },
  },
  'throws-at-strange-signatures': {
    lab: byWebhook,
    seen: async (lab) => (await pushedWith(lab, 'deadbeef')) === 500,
  },
  'takes-unknown-for-created': {
    async seen(lab) {
      lab.place()
      await lab.pass(10_000)
      lab.originator.announce('o-1', 'X_SEATS_CHANGED')
      await lab.pass(10_000)
      return lab.of('confirm').length > 1
    },
  },
  'acts-for-any-merchant': {
    async seen(lab) {
      lab.place('o-1', 'TAKEOUT', { merchant: { id: 'somebody-else' } })
      await lab.pass(10_000)
      return lab.sent.some(isStep)
    },
  },
  'answers-before-storing': {
    lab: byWebhook,
    async seen(lab) {
      first(lab, 'order', 2, unavailable)
      lab.place()
      for (const event of lab.originator.pending) await lab.push(event)
      await lab.pass(minute)
      return !read(lab)
    },
  },
  'webhook-waits-for-order': {
    lab: byWebhook,
    seen: async (lab) => (await slowDependency(lab)) > 2000,
  },
  'webhook-reads-first': {
    lab: byWebhook,
    seen: async (lab) => (await slowDependency(lab)) > 2000,
  },
  'remembers-before-checking': {
    lab: byWebhook,
    async seen(lab) {
      await wrongThenRight(lab)
      return !read(lab)
    },
  },
  'acts-before-checking': {
    lab: byWebhook,
    async seen(lab) {
      lab.place()
      const [event] = lab.originator.pending
      if (event) await lab.push(event, 'deadbeef')
      await lab.pass(3000)
      return lab.of('order').length > 0
    },
  },

  'refuses-known-events': {
    lab: byWebhook,
    seen: async (lab) => (await pushedWhenPrepared(lab, 'known')) === 409,
  },
  'fails-on-late-events': {
    lab: byWebhook,
    seen: async (lab) => (await pushedWhenPrepared(lab, 'late')) === 500,
  },

  'drops-unread-orders': withFailing(
    { name: 'order', times: 4, reply: unavailable },
    (lab) => !read(lab),
  ),
  'reads-per-event': {
    async seen(lab) {
      for (const type of ['PREPARATION_REQUESTED', 'A', 'B', 'C'])
        lab.originator.announce('o-1', type)
      return runs((after) => maxWithin(after.of('order'), 200) > 2, 5000)(lab)
    },
  },
  'reads-in-a-loop': {
    async seen(lab) {
      lab.originator.script('confirm', () => ({ status: 202 }))
      return runs((after) => maxWithin(after.of('order'), 3000) > 4, 10_000)(lab)
    },
  },
  'last-answer-wins': { seen: (lab) => slowReading(lab, 6000) },
  'late-answers-count': { seen: (lab) => slowReading(lab, 14_000) },
  'one-queue': {
    async seen(lab) {
      lab.between((sent) =>
        sent.name === 'order' && sent.orderId === 'o-1' ? neverAnswer() : undefined,
      )
      lab.place()
      lab.place('o-2')
      await lab.pass(9000)
      return !read(lab, 'o-2')
    },
  },
  'shares-the-current-order': {
    async seen(lab) {
      lab.place()
      lab.place('o-2')
      await lab.pass(2500)
      return lab.of('confirm', 'o-1').length !== 1 || lab.of('confirm', 'o-2').length !== 1
    },
  },

  'never-reconciles': {
    async seen(lab) {
      lose(lab, 'CONFIRMED')
      return runs((after) => status(after) !== 'DELIVERED', 2 * minute)(lab)
    },
  },
  'reconciles-only-created': {
    async seen(lab) {
      lose(lab, 'PREPARING')
      return runs((after) => status(after) !== 'DELIVERED', 2 * minute)(lab)
    },
  },
  'reconcile-dies-on-error': lostAndUnreadable,
  'reconcile-gives-up': lostAndUnreadable,
  'reconcile-reapplies': {
    lab: { platform: true },
    async seen(lab) {
      lab.originator.script('preparing', () => ({ status: 202 }))
      return runs((after) => creations(after) > 1, 2 * minute, 'DELIVERY')(lab)
    },
  },
  'reconciles-for-ever': {
    seen: runs((lab) => {
      const end = lab.of('delivered')[0]?.at ?? 0
      return lab.of('order').filter(({ at }) => at > end).length > 3
    }, 3 * minute),
  },
  'waits-for-concluded': {
    seen: runs((lab) => {
      const end = lab.of('delivered')[0]?.at ?? 0
      return lab.of('order').filter(({ at }) => at > end).length > 3
    }, 3 * minute),
  },
  'reconciles-ever-faster': {
    async seen(lab) {
      lab.originator.script('confirm', () => ({ status: 202 }))
      return runs((after) => after.of('order').length > 15, minute)(lab)
    },
  },

  'acts-on-202': {
    async seen(lab) {
      lab.originator.script('confirm', () => ({ status: 202 }))
      return runs((after) => after.of('preparing').length > 0, 10_000)(lab)
    },
  },
  'dispatches-when-preparing': {
    seen: runs((lab) => lab.of('ready-for-pickup').length === 0, 20_000, 'DELIVERY'),
  },
  'timers-outlive-orders': {
    lab: byWebhook,
    seen: async (lab) => (await cancelledInTime(lab, 50)) > 0,
  },
  'finishes-what-it-began': {
    lab: byWebhook,
    async seen(lab) {
      first(lab, 'confirm', manyTimes, unavailable)
      return (await cancelledInTime(lab, 1000)) > 0
    },
  },
  'acts-though-unread': {
    lab: byWebhook,
    async seen(lab) {
      lab.place()
      for (const event of lab.originator.pending) await lab.push(event)
      await lab.pass(50)
      first(lab, 'order', manyTimes, unavailable)
      await lab.push(lab.originator.announce('o-1', 'CANCELLED'))
      await lab.pass(minute)
      return lab.of('confirm').length > 0
    },
  },
  'cancels-on-conflict': withFailing(
    { name: 'confirm', times: 1, reply: () => answerJson(409) },
    (lab) => lab.of('requestCancellation').length > 0,
  ),
  'cancels-on-timeout': withFailing(
    { name: 'confirm', times: 4, reply: unavailable },
    (lab) => lab.of('requestCancellation').length > 0,
  ),
  'repeats-refused-at-reconcile': withFailing(
    { name: 'confirm', times: manyTimes, reply: () => answerJson(409) },
    (lab) => lab.of('confirm').length > 1,
  ),

  'keys-delivery-by-event': {
    lab: { platform: true },
    async seen(lab) {
      lab.originator.script('preparing', () => ({ status: 202 }))
      lab.place('o-1', 'DELIVERY')
      await lab.pass(8000)
      lab.originator.announce('o-1', 'CONFIRMED')
      await lab.pass(8000)
      return creations(lab) > 1
    },
  },
  'new-key-on-retry': withFailing(
    { name: 'platform create', times: 1, reply: unavailable },
    (lab) => creations(lab) > 1,
  ),
  'new-key-on-redrive': withFailing(
    { name: 'platform create', times: 5, reply: unavailable },
    (lab) => creations(lab) > 1,
  ),
  'grows-body-on-retry': withFailing(
    { name: 'platform create', times: 1, reply: unavailable },
    (lab) => distinct(lab.of('platform create').map(({ text }) => text)) > 1,
  ),
  'never-compensates': {
    lab: { platform: true },
    async seen(lab) {
      await cancelledOnTheWay(lab)
      return !cancelledDelivery(lab)
    },
  },
  'undoes-only-what-was-answered': {
    lab: { platform: true },
    async seen(lab) {
      lab.between((sent, send) =>
        sent.name === 'platform create' ? send().then(neverAnswer) : undefined,
      )
      await cancelledOnTheWay(lab)
      return !cancelledDelivery(lab)
    },
  },
  'gives-up-undoing': {
    lab: { platform: true },
    async seen(lab) {
      first(lab, 'platform cancel', 1, unavailable)
      await cancelledOnTheWay(lab)
      return lab.of('platform cancel').every(({ status: code }) => code !== 202)
    },
  },
  'mixes-orders': {
    lab: { platform: true },
    async seen(lab) {
      lab.place('o-1', 'DELIVERY', street('o-1'))
      lab.place('o-2', 'DELIVERY', street('o-2'))
      await lab.pass(20_000)
      return lab.of('platform create').some((each) => streetIn(each) !== each.json['orderId'])
    },
  },
  'swaps-addresses': {
    lab: { platform: true },
    async seen(lab) {
      lab.place('o-1', 'DELIVERY', street('o-1'))
      await lab.pass(20_000)
      return lab.of('platform create').some((each) => streetIn(each) !== each.json['orderId'])
    },
  },
  'reads-local-times-as-utc': {
    lab: { platform: true },
    async seen(lab) {
      const begin = '2026-01-05T18:00:00-03:00'
      lab.place('o-1', 'DELIVERY', { timing: { preparationStartDateTime: begin } })
      await lab.pass(20_000)
      return lab
        .of('platform create')
        .some(({ json }) => json['preparationStartDateTime'] !== begin)
    },
  },
  'adds-up-without-options': {
    lab: { platform: true },
    async seen(lab) {
      lab.place('o-1', 'DELIVERY', withExtras)
      await lab.pass(20_000)
      return lab.of('platform create').some(({ json }) => priceIn(json) !== 45)
    },
  },
  'collects-what-is-paid': {
    lab: { platform: true },
    async seen(lab) {
      lab.place('o-1', 'DELIVERY', withExtras)
      await lab.pass(20_000)
      return lab
        .of('platform create')
        .some(({ json }) => 'offlineMethod' in (json['payments'] as object))
    },
  },
  'dispatches-without-delivery': withFailing(
    { name: 'platform create', times: manyTimes, reply: unavailable },
    (lab) => lab.of('dispatch').length > 0,
  ),
  'takes-failure-for-created': withFailing(
    { name: 'platform create', times: manyTimes, reply: unavailable },
    (lab) => lab.of('dispatch').length > 0,
  ),

  'stores-what-it-has-read': killedAt('acknowledge', 'after', (lab) => !read(lab), true),
  'writes-ids-first': killedAt('acknowledge', 'before', (lab) => !read(lab), true),
  'claims-for-ever': killedAt('confirm', 'before', (lab) => status(lab) !== 'DELIVERED'),
  'resumes-nothing': killedAt('confirm', 'before', (lab) => status(lab) !== 'DELIVERED'),
  'dedupes-in-memory': killedAt('platform create', 'after', (lab) => creations(lab) > 1),

  'retries-without-pause': withFailing(
    { name: 'confirm', times: manyTimes, reply: unavailable },
    (lab) => maxWithin(lab.of('confirm'), 1000) > 2,
    10_000,
  ),
  'retries-in-every-layer': withFailing(
    { name: 'confirm', times: manyTimes, reply: unavailable },
    (lab) => maxWithin(lab.of('confirm'), 3000) > 4,
    10_000,
  ),
  'retries-at-fixed-pace': withFailing(
    { name: 'confirm', times: manyTimes, reply: unavailable },
    (lab) => (gapsOf(lab.of('confirm'))[1] ?? 0) < 1500,
    10_000,
  ),
  'retries-in-step': withFailing(
    { name: 'confirm', times: manyTimes, reply: unavailable },
    (lab) =>
      gapsOf(lab.of('confirm'))
        .slice(0, 2)
        .every((gap) => gap % 1000 === 0),
    10_000,
  ),
  'retries-for-ever': withFailing(
    { name: 'confirm', times: manyTimes, reply: unavailable },
    (lab) => longestRun(lab.of('confirm'), 6000) > 4,
  ),
  'no-cool-down': withFailing(
    { name: 'confirm', times: manyTimes, reply: unavailable },
    (lab) => longestRun(lab.of('confirm'), 6000) > 4,
  ),
  'ignores-retry-after': withFailing(
    { name: 'confirm', times: 1, reply: () => answerJson(429, { 'retry-after': '30' }) },
    (lab) => (gapsOf(lab.of('confirm'))[0] ?? 0) < 30_000,
  ),
  'retry-after-in-milliseconds': withFailing(
    { name: 'confirm', times: 1, reply: () => answerJson(429, { 'retry-after': '30' }) },
    (lab) => (gapsOf(lab.of('confirm'))[0] ?? 0) < 30_000,
  ),
  'retry-after-per-call': {
    async seen(lab) {
      first(lab, 'confirm', 1, () => answerJson(503, { 'retry-after': '30' }))
      lab.place()
      await lab.pass(5000)
      lab.place('o-2')
      await lab.pass(15_000)
      return lab.of('confirm').length > 1
    },
  },
  'retries-refusals': withFailing(
    { name: 'confirm', times: manyTimes, reply: () => answerJson(422) },
    (lab) => lab.of('confirm').length > 1,
    10_000,
  ),
  'fire-and-forget': withFailing(
    { name: 'confirm', times: 1, reply: unavailable },
    (lab) => lab.of('confirm').length === 1,
    2 * minute,
  ),
  'gives-up-after-four': withFailing(
    { name: 'confirm', times: 4, reply: unavailable },
    (lab) => lab.of('confirm').length === 4,
    2 * minute,
  ),
  'no-client-timeout': withFailing(
    { name: 'confirm', times: 1, reply: neverAnswer },
    (lab) => lab.of('confirm').length === 1,
    2 * minute,
  ),
  'retries-one-kind-only': {
    async seen(lab) {
      const replies = [503, 500]
      lab.between((sent) => {
        const code = sent.name === 'confirm' ? replies.shift() : undefined
        return code === undefined ? undefined : answerJson(code)
      })
      return runs((after) => after.of('confirm').length === 2, 2 * minute)(lab)
    },
  },
  'refreshes-only-at-first': {
    lab: byWebhook,
    async seen(lab) {
      first(lab, 'confirm', 1, unavailable)
      lab.place()
      for (const event of lab.originator.pending) await lab.push(event)
      await lab.pass(1000)
      return deadToken(await tokensAfter(lab, () => lab.pass(10_000))) > 1
    },
  },

  'token-per-call': { seen: runs((lab) => lab.of('token').length > 1) },
  'token-stampede': {
    lab: byWebhook,
    async seen(lab) {
      for (const id of ['o-1', 'o-2', 'o-3']) lab.place(id)
      lab.between((sent, send) =>
        sent.name === 'order' || sent.name === 'token'
          ? lab.clock.sleep(1000).then(send)
          : undefined,
      )
      const since = await tokensAfter(lab, async () => {
        for (const event of lab.originator.pending) await lab.push(event)
        await lab.pass(4000)
      })
      // All three were rejected together.
      return since.filter(({ name }) => name === 'token').length > 1
    },
  },
  'keeps-rejected-token': withRevokedToken((_lab, since) => deadToken(since) > 2),
  'retries-with-old-token': withRevokedToken((_lab, since) => deadToken(since) > 1),
  'forgets-call-at-401': withRevokedToken((lab) =>
    lab.of('confirm').every((each) => each.status === 401),
  ),
  'takes-401-for-refusal': withRevokedToken((lab) =>
    lab.of('confirm').every((each) => each.status === 401),
  ),
}
