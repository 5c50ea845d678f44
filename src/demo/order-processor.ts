/**
 * Processing of orders: one sequential loop per order reads it, after an event or a period without one, and takes the
 * next step. Reads of one order never overlap and orders never wait for each other; after every wait the step is
 * checked again.
 */
import type { Ticket } from './order-book.ts'
import { isOver, nextStepFor, statusRank, type Step } from './lifecycle.ts'
import type { Shipping } from './shipping.ts'
import type { StoreContext } from './store-context.ts'
import { OrderDocument } from './order-document.ts'
import { jittered } from './retry-state.ts'
import type { Answer } from './send.ts'

/**
 * Reads one order and updates its state. GET decides the status, and statuses never go back: an older reply changes
 * nothing.
 */
interface OrderReader {
  /** GET of the order; returns whether its state is known now. */
  readonly read: (ticket: Ticket) => Promise<boolean>
  /** Whether a read is due. */
  readonly isDue: (ticket: Ticket) => boolean
  readonly pauseMs: (ticket: Ticket) => number
}

/** Number of chains ending in 404 after which an order is abandoned. */
const maxNotFound = 20

interface OrderReaderParts extends StoreContext {
  /** Called after a read, with what caused it. */
  readonly onRead: (ticket: Ticket, cause: 'news' | 'reconcile') => void
}

function createOrderReader(shop: OrderReaderParts): OrderReader {
  const { clock, pace, wrong, book, partner } = shop
  /** Orders with a failed reconciliation, for defects that stop after one. */
  const ended = new WeakSet<Ticket>()
  const rounds = new WeakMap<Ticket, number>()
  let allEnded = false

  /** Whether GET shows that the order was cancelled; CONCLUDED follows DELIVERED and CANCELLED alike. */
  function wasCancelled(
    { status, halted, pendingStep: asked }: Ticket,
    to: OrderDocument['status'],
  ): boolean {
    if (to !== 'CONCLUDED') return to === 'CANCELLED'
    if (status === 'DELIVERED') return false
    return halted === 'CANCELLED' || asked?.step.to !== 'DELIVERED'
  }

  function applyDocument(ticket: Ticket, document: OrderDocument, lastWins = false): void {
    const { status: to, lastEvent } = document
    const { status: before } = ticket
    const isNewer = before === undefined || statusRank(to) > statusRank(before) || lastWins
    if (isNewer && to !== before) {
      ticket.cancelled ||= wasCancelled(ticket, to)
      ticket.status = to
      ticket.pendingStep = undefined
      ticket.refused.clear()
    }
    if (isNewer || to === before) ticket.order = document
    const isDenied = lastEvent === 'CANCELLATION_REQUEST_DENIED'
    const isLate = clock.now() - (ticket.cancellationAskedAt ?? 0) > 3 * pace.reconcileMs
    if ((isDenied || isLate) && !wrong('never-resumes')) ticket.cancellationAskedAt = undefined
    // An event announced the end, but a later read shows otherwise: GET decides.
    if (ticket.unreadEvents === 0 && !isOver(ticket.status)) delete ticket.halted
    shop.desk.current = ticket
    book.save(ticket)
  }

  const documentIn = ({ json }: Answer, { orderId }: Ticket): OrderDocument | undefined => {
    const { data } = OrderDocument.safeParse(json)
    return data?.id === orderId ? data : undefined
  }

  /** Handler of a reply that arrives after its timeout (defect). */
  const onLateAnswer = (ticket: Ticket) => (answer: Answer) => {
    const document = answer.status === 200 ? documentIn(answer, ticket) : undefined
    if (document) applyDocument(ticket, document, true)
    ticket.wakeSignal.notify()
  }

  function pauseAfter(ticket: Ticket): number {
    const round = (rounds.get(ticket) ?? 0) + 1
    rounds.set(ticket, round)
    const defaultMs = jittered(pace.reconcileMs, clock)
    return wrong('reconciles-ever-faster') ? Math.max(20, defaultMs / 2 ** round) : defaultMs
  }

  async function read(ticket: Ticket): Promise<boolean> {
    const { unreadEvents: news } = ticket
    const cause = news > 0 || ticket.status === undefined ? 'news' : 'reconcile'
    ticket.unreadEvents = wrong('reads-per-event') && news > 1 ? news - 1 : 0
    const outcome = await partner.callWithRetry(
      {
        operation: 'getOrder',
        method: 'GET',
        path: `/orders/${encodeURIComponent(ticket.orderId)}`,
        mayComeLater: true,
        ...(wrong('late-answers-count') ? { tooLate: onLateAnswer(ticket) } : {}),
      },
      { retry: ticket.retryState('getOrder'), bell: ticket.wakeSignal },
    )
    const document = outcome.kind === 'answered' ? documentIn(outcome.answer, ticket) : undefined
    ticket.readFailed = document === undefined
    ticket.dueAt = clock.now() + pauseAfter(ticket)
    if (document) {
      ticket.notFoundCount = 0
      applyDocument(ticket, document, wrong('last-answer-wins'))
      shop.onRead(ticket, cause)
      return true
    }
    // An invalid reply is retried at the next reconciliation, like a missing one.
    if (outcome.kind === 'answered') ticket.retryState('getOrder').notBefore = ticket.dueAt
    if (cause === 'reconcile') {
      ended.add(ticket)
      allEnded = true
    }
    // The events are still unread.
    ticket.unreadEvents += news
    ticket.notFoundCount += outcome.kind === 'failed' && outcome.answer?.status === 404 ? 1 : 0
    ticket.isUnreadable = outcome.kind === 'refused' || ticket.notFoundCount > maxNotFound
    if (ticket.isUnreadable) ticket.unreadEvents = 0
    return false
  }

  function reconciles({ status }: Ticket): boolean {
    if (wrong('never-reconciles')) return false
    return !wrong('reconciles-only-created') || status === undefined || status === 'CREATED'
  }

  const hasStopped = (ticket: Ticket): boolean =>
    (wrong('reconcile-dies-on-error') && allEnded) ||
    (wrong('reconcile-gives-up') && ended.has(ticket))

  return {
    read,
    isDue(ticket) {
      if (ticket.unreadEvents > 0 || (ticket.status === undefined && !ticket.isUnreadable))
        return true
      return reconciles(ticket) && !hasStopped(ticket) && clock.now() >= ticket.dueAt
    },
    pauseMs(ticket) {
      if (!reconciles(ticket) || hasStopped(ticket)) return Number.POSITIVE_INFINITY
      return Math.max(1, ticket.dueAt - clock.now())
    },
  }
}

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
