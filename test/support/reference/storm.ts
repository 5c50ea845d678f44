/**
 * A fault storm: 90 s in which everything may fail, then none. Orders of all profiles, some cancelled by the
 * originator, at a host that applies accepted calls with a delay. The traffic is checked afterwards by plain scans.
 */
import type { WireEvent } from '../scripted-ordering-application.ts'
import type { DefectName } from '../../../src/demo/defects.ts'
import {
  answerJson,
  type RequestInterceptor,
  type ReferenceHarness,
  openReferenceHarness,
  type ServiceRequest,
  neverAnswer,
} from './reference-harness.ts'

type Draw = (below: number) => number

/** Mulberry32: a small random generator, good enough to draw faults. */
function createRandom(seed: number): Draw {
  let state = seed >>> 0
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below
  }
}

const stepNames = ['confirm', 'preparing', 'ready-for-pickup', 'dispatch', 'delivered'] as const
const targets = ['CONFIRMED', 'PREPARING', 'READY', 'IN_DELIVERY', 'DELIVERED']
const events = ['CONFIRMED', 'PREPARING', 'READY_FOR_PICKUP', 'DISPATCHED', 'DELIVERED']
const ranks = ['CREATED', ...targets, 'CANCELLED', 'CONCLUDED']
const rankOf = (status: string | undefined): number => ranks.indexOf(status ?? '')

const stormMs = 90_000
const quietMs = 180_000

export interface StormResult {
  readonly lab: ReferenceHarness
  /** Violations, one sentence each. */
  readonly broken: readonly string[]
}

/** Calls move orders after a delay, forwards only. */
function appliesLater({ originator, clock }: ReferenceHarness, draw: Draw): void {
  for (const [index, name] of stepNames.entries())
    originator.script(name, ({ orderId, headers }) => {
      if (headers['authorization'] === undefined) return undefined
      void clock.sleep(50 + draw(2000)).then(() => {
        const order = originator.orders.get(orderId)
        const target = targets[index] ?? ''
        if (!order || rankOf(order.status) >= rankOf(target)) return
        originator.change(orderId, { status: target })
        // Some events are lost for good: only a read can reveal the status.
        const lost = draw(6) === 0 ? ({ lost: true } as const) : {}
        originator.announce(orderId, events[index] ?? '', { createdAt: `t${clock.now()}`, ...lost })
      })
      return { status: 202 }
    })
}

/** The faults of a request. */
function faultyRequests(lab: ReferenceHarness, draw: Draw, oneIn: number): RequestInterceptor {
  const late = (send: () => Promise<Response>): Promise<Response> =>
    lab.clock.sleep(draw(9000)).then(send)
  const broken = (): Promise<Response> => Promise.reject(new TypeError('the connection broke'))
  const kinds: readonly ((send: () => Promise<Response>) => Promise<Response>)[] = [
    () => answerJson(503),
    () => answerJson(500),
    (send) => send().then(() => answerJson(503)),
    () => neverAnswer(),
    (send) => send().then(neverAnswer),
    broken,
    (send) => send().then(broken),
    () => answerJson(429, { 'retry-after': String(1 + draw(20)) }),
    () => answerJson(429),
    late,
    (send) => send().then((response) => lab.clock.sleep(draw(9000)).then(() => response)),
    (send) => {
      lab.originator.revoke()
      return send()
    },
  ]
  return (_sent, send) => (draw(oneIn) === 0 ? kinds[draw(kinds.length)]?.(send) : undefined)
}

/** Faults of poll replies: late, duplicated, reordered. */
function distortPolls(lab: ReferenceHarness, draw: Draw): void {
  const until = new Map<string, number>()
  lab.reshape((batch) =>
    batch
      .flatMap((each) => {
        const { eventId, eventType } = each as WireEvent
        if (!until.has(eventId)) until.set(eventId, lab.clock.now() + (draw(4) ? 0 : draw(30_000)))
        const isHeld = lab.clock.now() < (until.get(eventId) ?? 0) && eventType !== 'CREATED'
        return isHeld ? [] : draw(5) ? [each] : [each, each]
      })
      .toSorted(() => draw(3) - 1),
  )
}

export async function runStorm(
  seed: number,
  defects: readonly DefectName[] = [],
): Promise<StormResult> {
  const draw = createRandom(seed)
  const lab = await openReferenceHarness({
    platform: true,
    defects,
    channel: draw(2) ? 'polling' : 'both',
    originator: { moves: false },
  })
  appliesLater(lab, draw)
  const oneIn = 2 + draw(20)
  lab.between(faultyRequests(lab, draw, oneIn))
  distortPolls(lab, draw)
  for (let number = 0; number < 6; number++) {
    const id = `o-${number}`
    lab.place(id, number % 2 ? 'TAKEOUT' : 'DELIVERY')
    const isCancelled = draw(3) === 0
    if (isCancelled)
      void lab.clock.sleep(draw(60_000)).then(() => {
        if (rankOf(lab.originator.orders.get(id)?.status) >= rankOf('DELIVERED')) return
        lab.originator.change(id, { status: 'CANCELLED' })
        lab.originator.announce(id, 'CANCELLED', draw(6) === 0 ? { lost: true } : {})
      })
  }
  for (let passed = 0; passed < stormMs; passed += 1000) {
    const pending = lab.originator.pending
    if (draw(3) === 0 && pending.length > 0) {
      const event = pending[draw(pending.length)]
      if (event) await lab.push(event)
    }
    await lab.pass(1000)
  }
  lab.between(() => undefined)
  lab.reshape((batch) => batch)
  await lab.pass(quietMs)
  const broken = judge(lab)
  await lab.end()
  return { lab, broken }
}

const isStep = ({ name }: ServiceRequest): boolean =>
  (stepNames as readonly string[]).includes(name)

/** The instant at which the service provably knew of a cancellation, by its acknowledgment or its read. */
function knewCancelled(lab: ReferenceHarness, orderId: string): number {
  const ids = lab.sent.filter(
    ({ name, json }) =>
      name === 'acknowledge' &&
      ((json['eventIds'] ?? []) as string[]).some(
        (id) => id.startsWith('CANCELLED') && lab.orderOf(id) === orderId,
      ),
  )
  return Math.min(...ids.map(({ at }) => at), Number.POSITIVE_INFINITY)
}

function perOrder(lab: ReferenceHarness, orderId: string): readonly string[] {
  const broken: string[] = []
  const order = lab.originator.orders.get(orderId)
  const all = lab.sent.filter((each) => each.orderId === orderId)
  const view = lab.service.view(orderId)
  if (rankOf(order?.status) < rankOf('DELIVERED')) broken.push(`${orderId} stays ${order?.status}`)
  if (view?.status !== order?.status)
    broken.push(`${orderId}: ${view?.status} is believed, ${order?.status} is so`)
  const creations = lab.of('platform create').filter(({ json }) => json['orderId'] === orderId)
  if (new Set(creations.map(({ requestId }) => requestId)).size > 1)
    broken.push(`${orderId} has two deliveries`)
  if (new Set(creations.map(({ text }) => text)).size > 1) broken.push(`${orderId} has two bodies`)
  const exists = lab.platform.calls.some(
    ({ json }) => json['orderId'] === orderId && 'dropoff' in json && 'merchant' in json,
  )
  const undone = lab.of('platform cancel', orderId).some(({ status }) => status === 202)
  if (exists && order?.status === 'CANCELLED' && !undone)
    broken.push(`${orderId} was not compensated`)
  const knew = knewCancelled(lab, orderId)
  if (all.some((each) => isStep(each) && each.at > knew))
    broken.push(`${orderId} goes on after its end`)
  const created = creations.find(({ status }) => status === 202)?.at ?? Number.POSITIVE_INFINITY
  if (all.some(({ name, at }) => name === 'dispatch' && at < created))
    broken.push(`${orderId} was dispatched before its delivery was there`)
  const steps = all.filter(isStep).map(({ name }) => (stepNames as readonly string[]).indexOf(name))
  if (steps.some((rank, index) => index > 0 && rank < (steps[index - 1] ?? 0)))
    broken.push(`${orderId} goes back`)
  for (const name of [...stepNames, 'order']) {
    const times = all.filter((each) => each.name === name).map(({ at }) => at)
    const most = Math.max(
      0,
      ...times.map((from) => times.filter((at) => at >= from && at < from + 3000).length),
    )
    if (most > (name === 'order' ? 8 : 4))
      broken.push(`${orderId}: ${most} times ${name} in three seconds`)
  }
  return broken
}

/** Whether requests ignored Retry-After. */
const isEarly = (lab: ReferenceHarness): boolean =>
  lab.sent.some(({ name, openAt, endedAt = 0 }) =>
    lab.sent.some((other) => other.name === name && other.at > endedAt && other.at < (openAt ?? 0)),
  )

/** Whether two token requests to one host were concurrent. */
const isStampede = (lab: ReferenceHarness, name: string): boolean =>
  lab.of(name).some(({ at, endedAt = 0 }, index, all) => {
    const next = all[index + 1]
    return next !== undefined && next.at >= at && next.at < endedAt
  })

function judge(lab: ReferenceHarness): readonly string[] {
  const broken = [...lab.originator.orders.keys()].flatMap((id) => perOrder(lab, id))
  if (lab.originator.pending.length > 0) broken.push('events are left')
  if (lab.of('acknowledge').some(({ json }) => (json['eventIds'] as string[]).length === 0))
    broken.push('an empty acknowledgment')
  if (isEarly(lab)) broken.push('Retry-After is not waited out')
  if (isStampede(lab, 'token') || isStampede(lab, 'platform token'))
    broken.push('two tokens at once')
  const polls = lab.of('poll').map(({ at }) => at)
  const calm = (polls.at(-1) ?? 0) - quietMs + 20_000
  const gaps = polls.slice(1).map((at, index) => ({ at, gap: at - (polls[index] ?? 0) }))
  // A rejected poll is repeated at once with a new token.
  const rejected = lab.of('poll').filter(({ status }) => status === 401).length
  if (gaps.some(({ at, gap }) => at > calm && gap > 3000)) broken.push('polls are late')
  if (gaps.filter(({ gap }) => gap < 999).length > rejected) broken.push('polls are hasty')
  return broken
}
