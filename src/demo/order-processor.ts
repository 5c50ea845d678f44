/**
 * Processing of orders: one sequential loop per order reads it, after an event or a period without one, and takes the
 * next step. Reads of one order never overlap and orders never wait for each other; after every wait the step is
 * checked again.
 */
import type { Ticket } from './order-book.ts'
import type { DefectSwitch } from './defects.ts'
import { isUnreadable } from './odd-documents.ts'
import { isOver, nextStepFor, statusRank, type Step } from './lifecycle.ts'
import type { Printer } from './printer.ts'
import type { Shipping } from './shipping.ts'
import type { StoreContext } from './store-context.ts'
import { OrderDocument } from './order-document.ts'
import { jittered } from './retry-state.ts'
import type { Answer } from './send.ts'

/** Number of chains ending in 404 after which an order is abandoned. */
const maxNotFound = 20

interface OrderReaderParts extends StoreContext {
  /** Called after a read, with what caused it. */
  readonly onRead: (ticket: Ticket, cause: 'news' | 'reconcile') => void
}

/** Whether GET shows that the order was cancelled; CONCLUDED follows DELIVERED and CANCELLED alike. */
function wasCancelled(
  { status, halted, pendingStep: asked }: Ticket,
  to: OrderDocument['status'],
): boolean {
  if (to !== 'CONCLUDED') return to === 'CANCELLED'
  if (status === 'DELIVERED') return false
  return halted === 'CANCELLED' || asked?.step.to !== 'DELIVERED'
}

const documentIn = (
  { json }: Answer,
  { orderId }: Ticket,
  wrong: DefectSwitch,
): OrderDocument | undefined => {
  const { data } = OrderDocument.safeParse(json)
  return data?.id === orderId && !isUnreadable(data, wrong) ? data : undefined
}

/**
 * Reads one order and updates its state. GET decides the status, and statuses never go back: an older reply changes
 * nothing.
 */
class OrderReader {
  readonly #shop: OrderReaderParts
  readonly #clock: OrderReaderParts['clock']
  readonly #wrong: OrderReaderParts['wrong']
  /** Orders with a failed reconciliation, for defects that stop after one. */
  readonly #ended = new WeakSet<Ticket>()
  readonly #rounds = new WeakMap<Ticket, number>()
  #allEnded = false

  constructor(shop: OrderReaderParts) {
    this.#shop = shop
    this.#clock = shop.clock
    this.#wrong = shop.wrong
  }

  /** GET of the order; returns whether its state is known now. */
  async read(ticket: Ticket): Promise<boolean> {
    const { unreadEvents: news } = ticket
    const cause = news > 0 || ticket.status === undefined ? 'news' : 'reconcile'
    ticket.unreadEvents = this.#wrong('reads-per-event') && news > 1 ? news - 1 : 0
    const outcome = await this.#shop.partner.callWithRetry(
      {
        operation: 'getOrder',
        method: 'GET',
        path: `/orders/${encodeURIComponent(ticket.orderId)}`,
        mayComeLater: true,
        ...(this.#wrong('late-answers-count') ? { tooLate: this.#onLateAnswer(ticket) } : {}),
      },
      { retry: ticket.retryState('getOrder'), bell: ticket.wakeSignal },
    )
    const document =
      outcome.kind === 'answered' ? documentIn(outcome.answer, ticket, this.#wrong) : undefined
    ticket.readFailed = document === undefined
    ticket.dueAt = this.#clock.now() + this.#pauseAfter(ticket)
    if (document) {
      ticket.notFoundCount = 0
      this.#applyDocument(ticket, document, this.#wrong('last-answer-wins'))
      this.#shop.onRead(ticket, cause)
      return true
    }
    // An invalid reply is retried at the next reconciliation, like a missing one.
    if (outcome.kind === 'answered') ticket.retryState('getOrder').notBefore = ticket.dueAt
    if (cause === 'reconcile') {
      this.#ended.add(ticket)
      this.#allEnded = true
    }
    // The events are still unread.
    ticket.unreadEvents += news
    ticket.notFoundCount += outcome.kind === 'failed' && outcome.answer?.status === 404 ? 1 : 0
    ticket.isUnreadable = outcome.kind === 'refused' || ticket.notFoundCount > maxNotFound
    if (ticket.isUnreadable) ticket.unreadEvents = 0
    return false
  }

  /** Whether a read is due. */
  isDue(ticket: Ticket): boolean {
    if (ticket.unreadEvents > 0 || (ticket.status === undefined && !ticket.isUnreadable))
      return true
    return (
      this.#reconciles(ticket) && !this.#hasStopped(ticket) && this.#clock.now() >= ticket.dueAt
    )
  }

  pauseMs(ticket: Ticket): number {
    if (!this.#reconciles(ticket) || this.#hasStopped(ticket)) return Number.POSITIVE_INFINITY
    return Math.max(1, ticket.dueAt - this.#clock.now())
  }

  #applyDocument(ticket: Ticket, document: OrderDocument, lastWins = false): void {
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
    const isLate =
      this.#clock.now() - (ticket.cancellationAskedAt ?? 0) > 3 * this.#shop.pace.reconcileMs
    if ((isDenied || isLate) && !this.#wrong('never-resumes'))
      ticket.cancellationAskedAt = undefined
    // An event announced the end, but a later read shows otherwise: GET decides.
    if (ticket.unreadEvents === 0 && !isOver(ticket.status)) delete ticket.halted
    this.#shop.desk.current = ticket
    this.#shop.book.save(ticket)
  }

  /** Handler of a reply that arrives after its timeout (defect). */
  #onLateAnswer(ticket: Ticket) {
    return (answer: Answer) => {
      const document = answer.status === 200 ? documentIn(answer, ticket, this.#wrong) : undefined
      if (document) this.#applyDocument(ticket, document, true)
      ticket.wakeSignal.notify()
    }
  }

  #pauseAfter(ticket: Ticket): number {
    const round = (this.#rounds.get(ticket) ?? 0) + 1
    this.#rounds.set(ticket, round)
    const defaultMs = jittered(this.#shop.pace.reconcileMs, this.#clock)
    return this.#wrong('reconciles-ever-faster') ? Math.max(20, defaultMs / 2 ** round) : defaultMs
  }

  #reconciles({ status }: Ticket): boolean {
    if (this.#wrong('never-reconciles')) return false
    return !this.#wrong('reconciles-only-created') || status === undefined || status === 'CREATED'
  }

  #hasStopped(ticket: Ticket): boolean {
    return (
      (this.#wrong('reconcile-dies-on-error') && this.#allEnded) ||
      (this.#wrong('reconcile-gives-up') && this.#ended.has(ticket))
    )
  }
}

export interface OrderProcessorParts extends StoreContext {
  readonly shipping?: Shipping | undefined
  readonly printer: Printer
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

export class OrderProcessor {
  readonly #shop: OrderProcessorParts
  readonly #clock: OrderProcessorParts['clock']
  readonly #life: OrderProcessorParts['life']
  readonly #wrong: OrderProcessorParts['wrong']
  readonly #reading: OrderReader
  /** Tail of the shared queue, for the defect `one-queue`. */
  #queue: Promise<void> = Promise.resolve()

  constructor(shop: OrderProcessorParts) {
    this.#shop = shop
    this.#clock = shop.clock
    this.#life = shop.life
    this.#wrong = shop.wrong
    this.#reading = new OrderReader({
      ...shop,
      onRead(ticket, cause) {
        shop.printer.onOrderRead(ticket, cause)
        shop.shipping?.onOrderRead(ticket, cause)
      },
    })
  }

  /** Starts the processing loop of an order, if none runs. */
  start(ticket: Ticket): void {
    if (this.#wrong('last-answer-wins') && ticket.hasLoop)
      this.#life.runInBackground(async () => void (await this.#reading.read(ticket)))
    if (ticket.hasLoop || (ticket.isRestored && this.#wrong('claims-for-ever'))) return
    ticket.hasLoop = true
    this.#life.runInBackground(() => this.#runLoop(ticket))
  }

  /** Requests the cancellation of an order; resolves with the status code. */
  async requestCancellation(ticket: Ticket): Promise<number | undefined> {
    ticket.cancellationAskedAt = this.#clock.now()
    ticket.wakeSignal.notify()
    // The delivery is cancelled before the order, so that no courier waits for food that is not made.
    await this.#shop.shipping?.withdraw(ticket)
    const outcome = await this.#shop.partner.callWithRetry({
      operation: 'requestCancellation',
      method: 'POST',
      path: pathOf(ticket, 'requestCancellation'),
      requestId: this.#keyOf(ticket, 'requestCancellation'),
      body: {
        reason: 'the kitchen cannot make it',
        code: 'INTERNAL_DIFFICULTIES_OF_THE_RESTAURANT',
        mode: 'MANUAL',
      },
    })
    if (outcome.kind === 'unwanted') return undefined
    if (outcome.kind !== 'failed') ticket.requestIds.delete('requestCancellation')
    if (outcome.kind === 'answered' && this.#wrong('takes-request-for-cancelled'))
      ticket.status = 'CANCELLED'
    // A refusal leaves the order as it was; after a failure the outcome is unknown and awaited.
    if (outcome.kind === 'refused') ticket.cancellationAskedAt = undefined
    ticket.wakeSignal.notify()
    return outcome.answer?.status
  }

  /** Orders of foreign merchants are read once and left alone. */
  #isForeign({ order }: Ticket): boolean {
    return (
      order !== undefined &&
      !this.#shop.partner.serves(order.merchant.id) &&
      !this.#wrong('acts-for-any-merchant')
    )
  }

  /** The next step by the known status; undefined while there is a reason to wait. */
  #nextStep(ticket: Ticket): Step | undefined {
    const { status, order, pendingStep: asked } = ticket
    const isHeld = ticket.halted !== undefined && !this.#wrong('acts-though-unread')
    if (!status || isHeld || ticket.cancellationAskedAt !== undefined) return undefined
    // Without a document only with a defect that trusts events.
    const step = nextStepFor(status, order?.fulfillment.orderType ?? 'TAKEOUT', this.#wrong)
    if (!step || this.#isForeign(ticket) || ticket.refused.has(step.call)) return undefined
    const isAwaited =
      asked?.step === step &&
      this.#clock.now() - asked.at < roundsBeforeAgain * this.#shop.pace.reconcileMs
    if (isAwaited) return undefined
    const needsDelivery = step.call === 'dispatch' && !this.#wrong('dispatches-without-delivery')
    return needsDelivery && this.#shop.shipping?.isPending(ticket) ? undefined : step
  }

  /** Whether the step is still the next one and no unread event has arrived. */
  #stillFollows(ticket: Ticket, step: Step) {
    return (): boolean =>
      (ticket.unreadEvents === 0 || this.#wrong('acts-though-unread')) &&
      this.#nextStep(ticket) === step
  }

  /** Simulated preparation time; returns whether the step is still the next one afterwards. */
  async #prepare(ticket: Ticket, step: Step): Promise<boolean> {
    const follows = this.#stillFollows(ticket, step)
    const until =
      this.#clock.now() + Math.round(this.#shop.pace.thinkMs * (0.5 + this.#clock.random()))
    while (this.#life.isRunning() && this.#clock.now() < until) {
      await ticket.wakeSignal.wait(until - this.#clock.now())
      if (!follows() && !this.#wrong('timers-outlive-orders')) return false
    }
    return this.#life.isRunning()
  }

  /** The X-Request-Id of a call, the same for all retries until it is answered. */
  #keyOf(ticket: Ticket, call: string): string {
    const known = ticket.requestIds.get(call)
    if (known !== undefined) return known
    const key = `${call}-${ticket.orderId}-${Math.floor(this.#clock.random() * 2 ** 32).toString(36)}`
    ticket.requestIds.set(call, key)
    return key
  }

  async #take(step: Step, ticket: Ticket): Promise<boolean> {
    this.#shop.desk.current = ticket
    if (!(await this.#prepare(ticket, step))) return false
    const target = this.#wrong('shares-the-current-order')
      ? (this.#shop.desk.current ?? ticket)
      : ticket
    const { operation, call } = step
    const outcome = await this.#shop.partner.callWithRetry(
      {
        operation,
        method: 'POST',
        path: pathOf(target, call),
        requestId: this.#keyOf(ticket, call),
        ...bodyOf(step, target),
      },
      {
        retry: ticket.retryState(operation),
        bell: ticket.wakeSignal,
        ...(this.#wrong('timers-outlive-orders')
          ? {}
          : { wanted: this.#stillFollows(ticket, step) }),
      },
    )
    if (outcome.kind === 'answered' || outcome.kind === 'refused') ticket.requestIds.delete(call)
    if (outcome.kind === 'answered') {
      // A 202 only acknowledges the call; its effect shows in an event or the next read.
      ticket.pendingStep = { step, at: this.#clock.now() }
      if (this.#wrong('acts-on-202')) ticket.status = step.to
      return this.#wrong('acts-on-202')
    }
    if (outcome.kind === 'refused') {
      if (this.#wrong('cancels-on-conflict')) await this.requestCancellation(ticket)
      if (!this.#wrong('repeats-refused-at-reconcile')) ticket.refused.add(call)
      // A refusal may mean that the host knows a newer status: read again.
      ticket.unreadEvents += 1
    }
    if (outcome.kind === 'failed' && this.#wrong('cancels-on-timeout'))
      await this.requestCancellation(ticket)
    return false
  }

  /** Takes every step that is possible now. */
  async #act(ticket: Ticket): Promise<void> {
    for (
      let step = this.#nextStep(ticket);
      step && this.#life.isRunning();
      step = this.#nextStep(ticket)
    )
      if (!(await this.#take(step, ticket))) return
  }

  async #pass(ticket: Ticket): Promise<void> {
    const isKnown = this.#reading.isDue(ticket)
      ? await this.#reading.read(ticket)
      : !ticket.readFailed
    if (this.#wrong('drops-unread-orders') && !isKnown && !ticket.status)
      this.#shop.book.forget(ticket)
    if ((isKnown && ticket.unreadEvents === 0) || this.#wrong('acts-though-unread'))
      await this.#act(ticket)
  }

  #isDone(ticket: Ticket): boolean {
    if (ticket.unreadEvents > 0 || this.#wrong('reconciles-for-ever')) return false
    if (this.#wrong('waits-for-concluded')) return ticket.status === 'CONCLUDED'
    return ticket.isUnreadable || this.#isForeign(ticket) || isOver(ticket.status)
  }

  async #runLoop(ticket: Ticket): Promise<void> {
    if (!(await this.#shop.partner.discover())) return
    while (this.#life.isRunning() && this.#shop.book.get(ticket.orderId) === ticket) {
      const before = this.#queue
      const done = this.#wrong('one-queue')
        ? before.then(() => this.#pass(ticket))
        : this.#pass(ticket)
      this.#queue = done
      await done
      for (const tell of ticket.afterPass.splice(0)) tell()
      if (this.#isDone(ticket)) break
      if (ticket.unreadEvents === 0) await ticket.wakeSignal.wait(this.#pauseOf(ticket))
    }
    ticket.hasLoop = false
  }

  #pauseOf(ticket: Ticket): number {
    const isWaiting = ticket.pendingStep !== undefined && this.#wrong('reads-in-a-loop')
    if (isWaiting) ticket.dueAt = 0
    return isWaiting ? 50 : this.#reading.pauseMs(ticket)
  }
}
