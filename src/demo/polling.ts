/**
 * The polling channel: a poll every so often, whatever becomes of the last one, and an acknowledgment of everything that
 * came once it is stored, whether it was of use or not. Polls do not wait for acknowledgments, nor for orders.
 */
import type { Intake } from './intake.ts'
import { announced, isOver } from './lifecycle.ts'
import { Identified, OrderEvent } from './order-document.ts'
import { freshPatience, noPatience } from './patience.ts'
import type { Shop } from './shop.ts'

export interface PollingParts extends Shop {
  readonly intake: Intake
}

/** Ids in one acknowledgment at most. */
const mostIds = 1000

/** How many polls in a row may have failed before the pause grows no more. */
const mostFailures = 2

export function startPolling({ intake, ...shop }: PollingParts): void {
  const { life, pace, wrong, partner, book } = shop
  const bell = life.bell()
  const ackBell = life.bell()
  const ackPatience = freshPatience()
  /** Ids that are stored and not acknowledged yet, and their orders. */
  const owed = new Map<string, string>()
  let acknowledging = false
  let polls = 0
  let lastSize = 0

  /** Ids whose time has come, for services that do not acknowledge at once. */
  function isRipe(orderId: string): boolean {
    if (wrong('acks-every-fifth-poll')) return polls % 5 === 0
    return !wrong('acks-at-end-of-order') || isOver(book.get(orderId)?.status)
  }

  async function acknowledge(): Promise<void> {
    acknowledging = true
    for (;;) {
      const ripe = [...owed].filter(([, orderId]) => isRipe(orderId))
      const batch = ripe.slice(0, mostIds).map(([eventId]) => eventId)
      if (batch.length === 0 || !life.running()) break
      const named = (id: string): string => owed.get(id) ?? id
      await sendAcknowledgment(wrong('acks-order-ids') ? batch.map(named) : batch)
      // What was not acknowledged comes again with a poll, and is owed again.
      for (const id of batch) owed.delete(id)
    }
    acknowledging = false
  }

  const sendAcknowledgment = (ids: readonly string[], patience = ackPatience) =>
    partner.insist(
      {
        operation: 'acknowledgeEvents',
        method: 'POST',
        path: '/events/acknowledgment',
        body: { eventIds: wrong('acks-altered-ids') ? ids.map((id) => id.toUpperCase()) : ids },
      },
      { patience, bell: ackBell },
    )

  const isUsed = (value: unknown): boolean => {
    const { data } = OrderEvent.safeParse(value)
    return data !== undefined && announced.has(data.eventType)
  }

  /** One event of a batch: stored if it can be. Answers whether it is to be acknowledged. */
  function store(value: unknown): boolean {
    const event = OrderEvent.safeParse(value)
    // Nobody can make anything of it; it would come again for ever.
    if (!event.success) return true
    const taken = intake.take(event.data, 'polling')
    if (taken === 'known' && wrong('acks-only-new-events')) return false
    return taken !== 'full'
  }

  /** How many of a batch are handled, by services that do not handle all. */
  function reach(size: number): number {
    const skips = wrong('skips-page-after-full-page') && lastSize >= 50
    lastSize = size
    if (skips) return 0
    return wrong('handles-first-twenty') ? 20 : size
  }

  async function takeBatch(batch: readonly unknown[]): Promise<void> {
    const most = reach(batch.length)
    const ids = batch.flatMap((value) => Identified.safeParse(value).data?.eventId ?? [])
    if (wrong('acks-before-storing')) {
      const outcome = await sendAcknowledgment(ids, noPatience())
      if (outcome.kind !== 'answered') return
    }
    if (wrong('acks-filtered-batch'))
      await sendAcknowledgment(ids.filter((_, index) => isUsed(batch[index])))
    for (const [index, value] of batch.entries()) {
      const isWhole = OrderEvent.safeParse(value).success
      if (!isWhole && wrong('batch-aborts-on-poison')) break
      if (!isWhole && wrong('poll-dies-on-poison')) throw new Error('malformed event')
      if (wrong('chokes-on-unknown-types') && !isUsed(value)) continue
      const isStored = index >= most || store(value)
      const { data } = Identified.safeParse(value)
      if (!data || !isStored || wrong('never-acks') || wrong('acks-before-storing')) continue
      if (wrong('acks-filtered-batch')) continue
      if (wrong('acks-known-types-only') && !isUsed(value)) continue
      owed.set(data.eventId, OrderEvent.safeParse(value).data?.orderId ?? '')
    }
  }

  /** Until everything that this batch is about is dealt with. */
  const dealtWith = (batch: readonly unknown[]): Promise<unknown> =>
    Promise.all(
      batch.map(async (value) => {
        const ticket = book.get(OrderEvent.safeParse(value).data?.orderId ?? '')
        if (ticket?.alive) await new Promise<void>((resolve) => ticket.afterPass.push(resolve))
      }),
    )

  /** One poll, tried once: the next one is its second attempt. Answers whether it brought events; undefined: it failed. */
  async function poll(): Promise<boolean | undefined> {
    polls += 1
    const outcome = await partner.insist(
      {
        operation: 'pollingEvents',
        method: 'GET',
        path: '/events:polling',
        ...(wrong('no-poll-timeout') ? { timeoutMs: Number.POSITIVE_INFINITY } : {}),
      },
      { patience: noPatience(), bell },
    )
    if (outcome.kind !== 'answered') return undefined
    const { json } = outcome.answer
    const batch: readonly unknown[] = Array.isArray(json) ? json : []
    await takeBatch(batch)
    if (wrong('poll-waits-for-orders')) await dealtWith(batch)
    if (batch.length === 0 && wrong('acks-nothing')) await sendAcknowledgment([])
    if (owed.size > 0 && !acknowledging) life.go(acknowledge)
    return batch.length > 0
  }

  async function pollOn(): Promise<void> {
    let failures = 0
    while (life.running()) {
      const brought = await poll()
      failures = brought === undefined ? Math.min(failures + 1, mostFailures) : 0
      if (failures > 0 && wrong('poll-dies-on-error')) return
      const isHasty = wrong('polls-without-pause') || (brought && wrong('polls-again-at-once'))
      await bell.wait(isHasty ? 1 : pace.pollMs * Math.max(1, failures))
    }
  }

  life.go(async () => {
    const declared = await partner.declared()
    if (!declared?.supportsPolling) return
    // Under one of the defects the loop dies of an event; in the right code nothing in it throws.
    await pollOn().catch((error: unknown) => {
      if (!wrong('poll-dies-on-poison')) throw error
    })
  })
}
