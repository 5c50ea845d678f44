/**
 * The polling channel: polls at a fixed interval and acknowledges every event once it is stored, used or not. Polls
 * wait neither for acknowledgments nor for the processing of orders.
 */
import type { Intake } from './intake.ts'
import { statusByEventType, isOver } from './lifecycle.ts'
import { EventIdentity, OrderEvent } from './order-document.ts'
import { createRetryState, createSingleAttempt } from './retry-state.ts'
import type { StoreContext } from './store-context.ts'

export interface PollingParts extends StoreContext {
  readonly intake: Intake
}

/** Maximum number of ids in one acknowledgment. */
const maxIds = 1000

/** Number of consecutive failed polls after which the pause stops growing. */
const maxFailures = 2

export function startPolling({ intake, ...shop }: PollingParts): void {
  const { life, pace, wrong, partner, book } = shop
  const bell = life.createSignal()
  const ackBell = life.createSignal()
  const ackRetry = createRetryState()
  /** Ids that are stored but not acknowledged yet, with their orders. */
  const unacknowledged = new Map<string, string>()
  let acknowledging = false
  let polls = 0
  let lastSize = 0

  /** Whether an id may be acknowledged now; defects delay it. */
  function mayAcknowledge(orderId: string): boolean {
    if (wrong('acks-every-fifth-poll')) return polls % 5 === 0
    return !wrong('acks-at-end-of-order') || isOver(book.get(orderId)?.status)
  }

  async function acknowledge(): Promise<void> {
    acknowledging = true
    for (;;) {
      const ripe = [...unacknowledged].filter(([, orderId]) => mayAcknowledge(orderId))
      const batch = ripe.slice(0, maxIds).map(([eventId]) => eventId)
      if (batch.length === 0 || !life.isRunning()) break
      const named = (id: string): string => unacknowledged.get(id) ?? id
      await sendAcknowledgment(wrong('acks-order-ids') ? batch.map(named) : batch)
      // An unacknowledged event is redelivered by a poll and added again.
      for (const id of batch) unacknowledged.delete(id)
    }
    acknowledging = false
  }

  const sendAcknowledgment = (ids: readonly string[], retry = ackRetry) =>
    partner.callWithRetry(
      {
        operation: 'acknowledgeEvents',
        method: 'POST',
        path: '/events/acknowledgment',
        body: { eventIds: wrong('acks-altered-ids') ? ids.map((id) => id.toUpperCase()) : ids },
      },
      { retry, bell: ackBell },
    )

  const isUsed = (value: unknown): boolean => {
    const { data } = OrderEvent.safeParse(value)
    return data !== undefined && statusByEventType.has(data.eventType)
  }

  /** Stores one event of a batch if possible. Returns whether to acknowledge it. */
  function store(value: unknown): boolean {
    const event = OrderEvent.safeParse(value)
    // A malformed event is acknowledged, or it would be redelivered for ever.
    if (!event.success) return true
    const result = intake.take(event.data, 'polling')
    if (result === 'known' && wrong('acks-only-new-events')) return false
    return result !== 'full'
  }

  /** How many events of a batch are handled; defects skip some. */
  function handledCount(size: number): number {
    const skips = wrong('skips-page-after-full-page') && lastSize >= 50
    lastSize = size
    if (skips) return 0
    return wrong('handles-first-twenty') ? 20 : size
  }

  async function takeBatch(batch: readonly unknown[]): Promise<void> {
    const limit = handledCount(batch.length)
    const ids = batch.flatMap((value) => EventIdentity.safeParse(value).data?.eventId ?? [])
    if (wrong('acks-before-storing')) {
      const outcome = await sendAcknowledgment(ids, createSingleAttempt())
      if (outcome.kind !== 'answered') return
    }
    if (wrong('acks-filtered-batch'))
      await sendAcknowledgment(ids.filter((_, index) => isUsed(batch[index])))
    for (const [index, value] of batch.entries()) {
      const isWhole = OrderEvent.safeParse(value).success
      if (!isWhole && wrong('batch-aborts-on-poison')) break
      if (!isWhole && wrong('poll-dies-on-poison')) throw new Error('malformed event')
      if (wrong('chokes-on-unknown-types') && !isUsed(value)) continue
      const isStored = index >= limit || store(value)
      const { data } = EventIdentity.safeParse(value)
      if (!data || !isStored || wrong('never-acks') || wrong('acks-before-storing')) continue
      if (wrong('acks-filtered-batch')) continue
      if (wrong('acks-known-types-only') && !isUsed(value)) continue
      unacknowledged.set(data.eventId, OrderEvent.safeParse(value).data?.orderId ?? '')
    }
  }

  /** Resolves when all orders of this batch are processed. */
  const ordersProcessed = (batch: readonly unknown[]): Promise<unknown> =>
    Promise.all(
      batch.map(async (value) => {
        const ticket = book.get(OrderEvent.safeParse(value).data?.orderId ?? '')
        if (ticket?.hasLoop) await new Promise<void>((resolve) => ticket.afterPass.push(resolve))
      }),
    )

  /** One poll without retries. Returns whether it brought events; undefined when it failed. */
  async function poll(): Promise<boolean | undefined> {
    polls += 1
    const outcome = await partner.callWithRetry(
      {
        operation: 'pollingEvents',
        method: 'GET',
        path: '/events:polling',
        ...(wrong('no-poll-timeout') ? { timeoutMs: Number.POSITIVE_INFINITY } : {}),
      },
      { retry: createSingleAttempt(), bell },
    )
    if (outcome.kind !== 'answered') return undefined
    const { json } = outcome.answer
    const batch: readonly unknown[] = Array.isArray(json) ? json : []
    await takeBatch(batch)
    if (wrong('poll-waits-for-orders')) await ordersProcessed(batch)
    if (batch.length === 0 && wrong('acks-nothing')) await sendAcknowledgment([])
    if (unacknowledged.size > 0 && !acknowledging) life.runInBackground(acknowledge)
    return batch.length > 0
  }

  async function pollOn(): Promise<void> {
    let failures = 0
    while (life.isRunning()) {
      const broughtEvents = await poll()
      failures = broughtEvents === undefined ? Math.min(failures + 1, maxFailures) : 0
      if (failures > 0 && wrong('poll-dies-on-error')) return
      const isHasty =
        wrong('polls-without-pause') || (broughtEvents && wrong('polls-again-at-once'))
      await bell.wait(isHasty ? 1 : pace.pollMs * Math.max(1, failures))
    }
  }

  life.runInBackground(async () => {
    const declared = await partner.discover()
    if (!declared?.supportsPolling) return
    // Only the defect `poll-dies-on-poison` makes this loop throw.
    await pollOn().catch((error: unknown) => {
      if (!wrong('poll-dies-on-poison')) throw error
    })
  })
}
