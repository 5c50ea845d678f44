/**
 * Processing of orders: one sequential loop per order reads it, after an event or a period without one, and takes the
 * next step. Reads of one order never overlap and orders never wait for each other; after every wait the step is
 * checked again.
 */
import type { Ticket } from './order-book.ts'
import { isOver, nextStepFor, type Step } from './lifecycle.ts'
import { createOrderReader } from './order-reader.ts'
import type { Shipping } from './shipping.ts'
import type { StoreContext } from './store-context.ts'

export interface OrderProcessor {
  /** Starts the processing loop of an order, if none runs. */
  readonly start: (ticket: Ticket) => void
  /** Requests the cancellation of an order; resolves with the status code. */
  readonly requestCancellation: (ticket: Ticket) => Promise<number | undefined>
}

export interface OrderProcessorParts extends StoreContext {
  readonly shipping?: Shipping | undefined
}

/** Number of reconciliation periods without effect after which an accepted step is repeated. */
const roundsBeforeAgain = 2

const pathOf = ({ orderId }: Ticket, call: string): string =>
  `/orders/${encodeURIComponent(orderId)}/${call}`

/** The request body of a step. */
function bodyOf({ call }: Step, { order }: Ticket): { readonly body?: unknown } {
  const pickupCode = order?.fulfillment.takeout?.pickupCode
  if (call === 'confirm')
    return { body: { estimatedPreparationTimeMinutes: 10 + 2 * (order?.items.length ?? 0) } }
  return call === 'ready-for-pickup' && pickupCode !== undefined ? { body: { pickupCode } } : {}
}

export function createOrderProcessor(shop: OrderProcessorParts): OrderProcessor {
  const { clock, life, pace, wrong, book, partner, shipping } = shop
  const reading = createOrderReader({
    ...shop,
    onRead: (ticket, cause) => shipping?.onOrderRead(ticket, cause),
  })
  /** Tail of the shared queue, for the defect `one-queue`. */
  let queue: Promise<void> = Promise.resolve()

  /** Orders of foreign merchants are read once and left alone. */
  const isForeign = ({ order }: Ticket): boolean =>
    order !== undefined && !partner.serves(order.merchant.id) && !wrong('acts-for-any-merchant')

  /** The next step by the known status; undefined while there is a reason to wait. */
  function nextStep(ticket: Ticket): Step | undefined {
    const { status, order, pendingStep: asked } = ticket
    const isHeld = ticket.halted !== undefined && !wrong('acts-though-unread')
    if (!status || isHeld || ticket.cancellationAskedAt !== undefined) return undefined
    // Without a document only with a defect that trusts events.
    const step = nextStepFor(status, order?.fulfillment.orderType ?? 'TAKEOUT', wrong)
    if (!step || isForeign(ticket) || ticket.refused.has(step.call)) return undefined
    const isAwaited =
      asked?.step === step && clock.now() - asked.at < roundsBeforeAgain * pace.reconcileMs
    if (isAwaited) return undefined
    const needsDelivery = step.call === 'dispatch' && !wrong('dispatches-without-delivery')
    return needsDelivery && shipping?.isPending(ticket) ? undefined : step
  }

  /** Whether the step is still the next one and no unread event has arrived. */
  const stillFollows = (ticket: Ticket, step: Step) => (): boolean =>
    (ticket.unreadEvents === 0 || wrong('acts-though-unread')) && nextStep(ticket) === step

  /** Simulated preparation time; returns whether the step is still the next one afterwards. */
  async function prepare(ticket: Ticket, step: Step): Promise<boolean> {
    const follows = stillFollows(ticket, step)
    const until = clock.now() + Math.round(pace.thinkMs * (0.5 + clock.random()))
    while (life.isRunning() && clock.now() < until) {
      await ticket.wakeSignal.wait(until - clock.now())
      if (!follows() && !wrong('timers-outlive-orders')) return false
    }
    return life.isRunning()
  }

  /** The X-Request-Id of a call, the same for all retries until it is answered. */
  function keyOf(ticket: Ticket, call: string): string {
    const known = ticket.requestIds.get(call)
    if (known !== undefined) return known
    const key = `${call}-${ticket.orderId}-${Math.floor(clock.random() * 2 ** 32).toString(36)}`
    ticket.requestIds.set(call, key)
    return key
  }

  async function take(step: Step, ticket: Ticket): Promise<boolean> {
    shop.desk.current = ticket
    if (!(await prepare(ticket, step))) return false
    const target = wrong('shares-the-current-order') ? (shop.desk.current ?? ticket) : ticket
    const { operation, call } = step
    const outcome = await partner.callWithRetry(
      {
        operation,
        method: 'POST',
        path: pathOf(target, call),
        requestId: keyOf(ticket, call),
        ...bodyOf(step, target),
      },
      {
        retry: ticket.retryState(operation),
        bell: ticket.wakeSignal,
        ...(wrong('timers-outlive-orders') ? {} : { wanted: stillFollows(ticket, step) }),
      },
    )
    if (outcome.kind === 'answered' || outcome.kind === 'refused') ticket.requestIds.delete(call)
    if (outcome.kind === 'answered') {
      // A 202 only acknowledges the call; its effect shows in an event or the next read.
      ticket.pendingStep = { step, at: clock.now() }
      if (wrong('acts-on-202')) ticket.status = step.to
      return wrong('acts-on-202')
    }
    if (outcome.kind === 'refused') {
      if (wrong('cancels-on-conflict')) await requestCancellation(ticket)
      if (!wrong('repeats-refused-at-reconcile')) ticket.refused.add(call)
      // A refusal may mean that the host knows a newer status: read again.
      ticket.unreadEvents += 1
    }
    if (outcome.kind === 'failed' && wrong('cancels-on-timeout')) await requestCancellation(ticket)
    return false
  }

  /** Takes every step that is possible now. */
  async function act(ticket: Ticket): Promise<void> {
    for (let step = nextStep(ticket); step && life.isRunning(); step = nextStep(ticket))
      if (!(await take(step, ticket))) return
  }

  async function pass(ticket: Ticket): Promise<void> {
    const isKnown = reading.isDue(ticket) ? await reading.read(ticket) : !ticket.readFailed
    if (wrong('drops-unread-orders') && !isKnown && !ticket.status) book.forget(ticket)
    if ((isKnown && ticket.unreadEvents === 0) || wrong('acts-though-unread')) await act(ticket)
  }

  function isDone(ticket: Ticket): boolean {
    if (ticket.unreadEvents > 0 || wrong('reconciles-for-ever')) return false
    if (wrong('waits-for-concluded')) return ticket.status === 'CONCLUDED'
    return ticket.isUnreadable || isForeign(ticket) || isOver(ticket.status)
  }

  async function runLoop(ticket: Ticket): Promise<void> {
    if (!(await partner.discover())) return
    while (life.isRunning() && book.get(ticket.orderId) === ticket) {
      const before = queue
      const done = wrong('one-queue') ? before.then(() => pass(ticket)) : pass(ticket)
      queue = done
      await done
      for (const tell of ticket.afterPass.splice(0)) tell()
      if (isDone(ticket)) break
      if (ticket.unreadEvents === 0) await ticket.wakeSignal.wait(pauseOf(ticket))
    }
    ticket.hasLoop = false
  }

  function pauseOf(ticket: Ticket): number {
    const isWaiting = ticket.pendingStep !== undefined && wrong('reads-in-a-loop')
    if (isWaiting) ticket.dueAt = 0
    return isWaiting ? 50 : reading.pauseMs(ticket)
  }

  async function requestCancellation(ticket: Ticket): Promise<number | undefined> {
    ticket.cancellationAskedAt = clock.now()
    ticket.wakeSignal.notify()
    // The delivery is cancelled before the order, so that no courier waits for food that is not made.
    await shipping?.withdraw(ticket)
    const outcome = await partner.callWithRetry({
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
    if (outcome.kind !== 'failed') ticket.requestIds.delete('requestCancellation')
    if (outcome.kind === 'answered' && wrong('takes-request-for-cancelled'))
      ticket.status = 'CANCELLED'
    // A refusal leaves the order as it was; after a failure the outcome is unknown and awaited.
    if (outcome.kind === 'refused') ticket.cancellationAskedAt = undefined
    ticket.wakeSignal.notify()
    return outcome.answer?.status
  }

  return {
    start(ticket) {
      if (wrong('last-answer-wins') && ticket.hasLoop)
        life.runInBackground(async () => void (await reading.read(ticket)))
      if (ticket.hasLoop) return
      ticket.hasLoop = true
      life.runInBackground(() => runLoop(ticket))
    },
    requestCancellation,
  }
}
