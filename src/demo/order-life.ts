/**
 * One order's way through the store. One loop for each order does everything about it, one thing after the other: it
 * reads the order when there is news or when it was long without, and takes the step that follows. So no two readings
 * of an order overlap, and no order waits for another. After every wait it looks again whether the step still follows.
 */
import type { Ticket } from './book.ts'
import { isOver, stepAfter, type Step } from './lifecycle.ts'
import { createReading } from './reading.ts'
import type { Shipping } from './shipping.ts'
import type { Shop } from './shop.ts'

export interface OrderLife {
  /** Has somebody see to an order, if nobody does yet. */
  readonly begin: (ticket: Ticket) => void
  /** Asks to cancel an order, because somebody told us to. */
  readonly requestCancellation: (ticket: Ticket) => Promise<number | undefined>
}

export interface OrderLifeParts extends Shop {
  readonly shipping?: Shipping | undefined
}

/** A step that was accepted is taken again when so many readings have not shown its effect. */
const roundsBeforeAgain = 2

const pathOf = ({ orderId }: Ticket, call: string): string =>
  `/orders/${encodeURIComponent(orderId)}/${call}`

/** What a step says besides that it is taken. */
function bodyOf({ call }: Step, { order }: Ticket): { readonly body?: unknown } {
  const pickupCode = order?.fulfillment.takeout?.pickupCode
  if (call === 'confirm')
    return { body: { estimatedPreparationTimeMinutes: 10 + 2 * (order?.items.length ?? 0) } }
  return call === 'ready-for-pickup' && pickupCode !== undefined ? { body: { pickupCode } } : {}
}

export function createOrderLife(shop: OrderLifeParts): OrderLife {
  const { clock, life, pace, wrong, book, partner, shipping } = shop
  const reading = createReading({
    ...shop,
    onRead: (ticket, cause) => shipping?.consider(ticket, cause),
  })
  /** The last in a queue, for services that have one queue. */
  let queue: Promise<void> = Promise.resolve()

  /** An order of a merchant that is not ours: it is read once, and left alone. */
  const isForeign = ({ order }: Ticket): boolean =>
    order !== undefined && !partner.serves(order.merchant.id) && !wrong('acts-for-any-merchant')

  /** The step that follows from what is known, unless there is a reason to wait. */
  function nextStep(ticket: Ticket): Step | undefined {
    const { status, order, asked } = ticket
    const isHeld = ticket.halted !== undefined && !wrong('acts-though-unread')
    if (!status || isHeld || ticket.cancelling !== undefined) return undefined
    // Only services that take events for orders come here without having read one.
    const step = stepAfter(status, order?.fulfillment.orderType ?? 'TAKEOUT', wrong)
    if (!step || isForeign(ticket) || ticket.refused.has(step.call)) return undefined
    const isAwaited =
      asked?.step === step && clock.now() - asked.at < roundsBeforeAgain * pace.reconcileMs
    if (isAwaited) return undefined
    const needsDelivery = step.call === 'dispatch' && !wrong('dispatches-without-delivery')
    return needsDelivery && shipping?.isOpen(ticket) ? undefined : step
  }

  /** Whether there is nothing newer than what this step follows from. */
  const stillFollows = (ticket: Ticket, step: Step) => (): boolean =>
    (ticket.news === 0 || wrong('acts-though-unread')) && nextStep(ticket) === step

  /** Somebody at the store takes a while; answers whether the step follows after that. */
  async function think(ticket: Ticket, step: Step): Promise<boolean> {
    const follows = stillFollows(ticket, step)
    const until = clock.now() + Math.round(pace.thinkMs * (0.5 + clock.random()))
    while (life.running() && clock.now() < until) {
      await ticket.bell.wait(until - clock.now())
      if (!follows() && !wrong('timers-outlive-orders')) return false
    }
    return life.running()
  }

  /** The same X-Request-Id until the call is answered: who tries again tries the same thing. */
  function keyOf(ticket: Ticket, call: string): string {
    const known = ticket.keys.get(call)
    if (known !== undefined) return known
    const key = `${call}-${ticket.orderId}-${Math.floor(clock.random() * 2 ** 32).toString(36)}`
    ticket.keys.set(call, key)
    return key
  }

  async function take(step: Step, ticket: Ticket): Promise<boolean> {
    shop.desk.current = ticket
    if (!(await think(ticket, step))) return false
    const about = wrong('shares-the-current-order') ? (shop.desk.current ?? ticket) : ticket
    const { operation, call } = step
    const outcome = await partner.insist(
      {
        operation,
        method: 'POST',
        path: pathOf(about, call),
        requestId: keyOf(ticket, call),
        ...bodyOf(step, about),
      },
      {
        patience: ticket.patience(operation),
        bell: ticket.bell,
        ...(wrong('timers-outlive-orders') ? {} : { wanted: stillFollows(ticket, step) }),
      },
    )
    if (outcome.kind === 'answered' || outcome.kind === 'refused') ticket.keys.delete(call)
    if (outcome.kind === 'answered') {
      // 202 says that it was heard. What becomes of it an event tells, or the next reading.
      ticket.asked = { step, at: clock.now() }
      if (wrong('acts-on-202')) ticket.status = step.to
      return wrong('acts-on-202')
    }
    if (outcome.kind === 'refused') {
      if (wrong('cancels-on-conflict')) await requestCancellation(ticket)
      if (!wrong('repeats-refused-at-reconcile')) ticket.refused.add(call)
      // Whoever refuses may know something newer than we do.
      ticket.news += 1
    }
    if (outcome.kind === 'failed' && wrong('cancels-on-timeout')) await requestCancellation(ticket)
    return false
  }

  /** Every step that can be taken now. */
  async function act(ticket: Ticket): Promise<void> {
    for (let step = nextStep(ticket); step && life.running(); step = nextStep(ticket))
      if (!(await take(step, ticket))) return
  }

  async function pass(ticket: Ticket): Promise<void> {
    const isKnown = reading.isDue(ticket) ? await reading.read(ticket) : !ticket.unread
    if (wrong('drops-unread-orders') && !isKnown && !ticket.status) book.forget(ticket)
    if ((isKnown && ticket.news === 0) || wrong('acts-though-unread')) await act(ticket)
  }

  function isDone(ticket: Ticket): boolean {
    if (ticket.news > 0 || wrong('reconciles-for-ever')) return false
    if (wrong('waits-for-concluded')) return ticket.status === 'CONCLUDED'
    return ticket.lost || isForeign(ticket) || isOver(ticket.status)
  }

  async function live(ticket: Ticket): Promise<void> {
    if (!(await partner.declared())) return
    while (life.running() && book.get(ticket.orderId) === ticket) {
      const before = queue
      const done = wrong('one-queue') ? before.then(() => pass(ticket)) : pass(ticket)
      queue = done
      await done
      for (const tell of ticket.afterPass.splice(0)) tell()
      if (isDone(ticket)) break
      if (ticket.news === 0) await ticket.bell.wait(pauseOf(ticket))
    }
    ticket.alive = false
  }

  function pauseOf(ticket: Ticket): number {
    const isWaiting = ticket.asked !== undefined && wrong('reads-in-a-loop')
    if (isWaiting) ticket.dueAt = 0
    return isWaiting ? 50 : reading.pauseOf(ticket)
  }

  async function requestCancellation(ticket: Ticket): Promise<number | undefined> {
    ticket.cancelling = clock.now()
    ticket.bell.ring()
    // First the delivery, then the order: a courier must not wait for what nobody will cook.
    await shipping?.withdraw(ticket)
    const outcome = await partner.insist({
      operation: 'requestCancellation',
      method: 'POST',
      path: pathOf(ticket, 'requestCancellation'),
      requestId: keyOf(ticket, 'requestCancellation'),
      body: {
        reason: 'the kitchen cannot make it',
        code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
        mode: 'MANUAL',
      },
    })
    if (outcome.kind === 'unwanted') return undefined
    if (outcome.kind !== 'failed') ticket.keys.delete('requestCancellation')
    if (outcome.kind === 'answered' && wrong('takes-request-for-cancelled'))
      ticket.status = 'CANCELLED'
    // What was refused leaves the order as it was; after a failure nobody knows, and the outcome is waited for.
    if (outcome.kind === 'refused') ticket.cancelling = undefined
    ticket.bell.ring()
    return outcome.answer?.status
  }

  return {
    begin(ticket) {
      if (wrong('last-answer-wins') && ticket.alive)
        life.go(async () => void (await reading.read(ticket)))
      if (ticket.alive) return
      ticket.alive = true
      life.go(() => live(ticket))
    },
    requestCancellation,
  }
}
