/** Actions of steps on a session, with scenario names in place of ids: slots, item selectors. */
import { compact } from '../base/compact.ts'
import type { Command } from '../engine/command.ts'
import type { Fact } from '../engine/fact.ts'
import type { AgendaRow, NewOrder } from '../session-api/session-api.ts'
import type { Role } from '../protocol/role.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { askSubject, type SubjectAsking } from './ask-subject.ts'
import { deliveryLifecycle } from '../protocol/logistics/lifecycle.ts'
import { orderLifecycle } from '../protocol/orders/lifecycle.ts'
import { findItem, itemText, type ItemSelector, matchesItem } from './item.ts'
import { type ScenarioOrder, StepFailure } from './shared-shapes.ts'
import { itemsBefore, type ScenarioClock, stepAround } from './scenario-clock.ts'
import type { ScenarioObserver } from './observer.ts'
import type { Session } from '../session-api/session.ts'

/** Order input for the session. */
export const newOrderOf = ({ at: _at, order, ...fields }: ScenarioOrder): NewOrder => ({
  ...fields,
  ...compact({ order }),
})

export interface StepActions {
  readonly submit: (command: Command) => Promise<readonly Fact[]>
  /** Id of an order that has been placed. */
  readonly order: (slot: string) => string
  /** Places an order and returns its id; fails when it does not get that slot. */
  readonly place: (options: NewOrder, slot?: string) => Promise<string>
  /** Waits for the selected item, at most `withinMs`. */
  readonly item: (options: ItemSelector, withinMs?: number) => Promise<AgendaRow>
  /** Pauses the clock as soon as the selected item is there; until then items come about one after the other. */
  readonly pauseAt: (options: ItemSelector) => Promise<void>
  /** Waits for the selected item and takes it, before all others about orders; one that has come due is taken. */
  readonly take: (options: ItemSelector, withinMs?: number) => Promise<void>
}

/** Maximum agenda rows of one view. */
const maxRows = 1000

export interface StepActionsOptions {
  readonly session: Session
  readonly observer: ScenarioObserver
  readonly clock: ScenarioClock
  /** Timeout of a wait that names none, in ms. */
  readonly waitMs: number
  /** It is asked for orders where it hosts them itself. */
  readonly subject: Role | 'none'
  readonly asks: Configuration['subject']['asks']
  readonly requestSubject: SubjectAsking['requestSubject']
}

/** Fails a step whose move had no effect: too late for it, or not there yet. */
function failLapsed(
  lifecycle: readonly { readonly trigger: string; readonly from: string; readonly to: string }[],
  { trigger, status }: { readonly trigger: string; readonly status: string },
): never {
  const ahead = new Set([status])
  for (const at of ahead) for (const { from, to } of lifecycle) if (from === at) ahead.add(to)
  if (lifecycle.some((row) => row.trigger === trigger && ahead.has(row.from)))
    throw new StepFailure(`it had no effect: it was ${status}, which has no such move yet`)
  throw new StepFailure(`it came too late: it was ${status} already`, 'late')
}

/** Whether a slot, such as o2, is before another one. */
const isEarlier = (slot: string | undefined, other: string): boolean =>
  Number(slot?.slice(1)) < Number(other.slice(1))

export function createStepActions({
  session,
  observer,
  clock,
  waitMs,
  subject,
  asks,
  requestSubject,
}: StepActionsOptions): StepActions {
  function order(slot: string): string {
    observer.read()
    const orderId = observer.orders.slots.get(slot)
    if (orderId === undefined)
      throw new StepFailure(`there is no ${slot} yet: no step has created it`)
    return orderId
  }

  /** Id of the order with this slot; undefined where none has been placed. */
  const placedId = (slot: string | undefined): string | undefined =>
    slot === undefined ? undefined : observer.orders.slots.get(slot)

  async function find(options: ItemSelector): Promise<AgendaRow | undefined> {
    observer.read()
    const orderId = placedId(options.order)
    // A scheduled order may not have been placed yet.
    if (options.order !== undefined && orderId === undefined) return undefined
    const filter = orderId === undefined ? {} : { orderId }
    const { agenda } = await session.look({ agenda: { limit: maxRows, ...filter } })
    return findItem(agenda, options, orderId)
  }

  /** Places an order at our host; returns its id. */
  async function create(options: NewOrder): Promise<string> {
    const created = await session.createOrder(options)
    if (!created.ok) throw new StepFailure(`it was refused: ${created.error.message}`)
    observer.read()
    return created.value.orderId
  }

  /** Asks a subject that hosts its orders for one, as a customer would; returns its id as soon as an event tells it. */
  async function request(options: NewOrder): Promise<string> {
    if (options.sample !== undefined)
      throw new StepFailure('a sample is an order of ours, and your service makes its own')
    const next = `o${observer.orders.slots.size + 1}`
    const asking = { clock, requestSubject }
    const body = { method: 'POST', path: asks.order, body: options } as const
    await askSubject(body, asking, waitMs, { name: 'subject.asks.order', mayBeMissing: false })
    const hasCome = (): boolean => {
      observer.read()
      return observer.orders.slots.has(next)
    }
    if (await clock.waitUntil(hasCome, waitMs)) return order(next)
    throw new StepFailure('your service took the order, and no event told of it in time')
  }

  /** Looks again and again, at most `withinMs`, until something is found about the selected item. */
  async function findInTime<Found>(
    look: () => Promise<Found | undefined>,
    options: ItemSelector,
    withinMs = waitMs,
  ): Promise<Found> {
    let found = await look()
    const isThere = async (): Promise<boolean> => (found = await look()) !== undefined
    if (found === undefined) await clock.waitUntil(isThere, withinMs)
    if (found !== undefined) return found
    throw new StepFailure(`${itemText(options)} is not on the agenda, and did not come`)
  }

  /** Waits for the selected item, at most `withinMs`. */
  async function awaitItem(options: ItemSelector, withinMs?: number): Promise<AgendaRow> {
    // While the clock is paused the service may be later than it was, and nothing else comes about meanwhile.
    const isStill = withinMs === 0 && (await clock.isPaused())
    return findInTime(() => find(options), options, isStill ? waitMs : withinMs)
  }

  /** Items that steps have taken, or found taken. */
  const accountedFor = new Set<number>()
  /** Items that were taken on the way to another. */
  const passed = new Set<AgendaRow>()

  /**
   * Whether nothing would come of it: an order has had the status that a trigger leads to and is past it, or the
   * service has taken responsibility for each such event.
   */
  function hasTakenEffect({ trigger, event, order: slot }: ItemSelector): boolean {
    const { statusesOf, events, acknowledged } = observer.orders
    const orderId = placedId(slot)
    if (orderId === undefined) return false
    const moves = orderLifecycle.filter((row) => row.trigger === trigger)
    const statuses = statusesOf(orderId)
    // By force an order may have gone back, so that it moves there once more.
    if (moves.length > 0)
      return (
        moves.some(({ to }) => statuses.includes(to)) &&
        !moves.some(({ from }) => from === statuses.at(-1))
      )
    const ids = [...events].flatMap(([id, each]) =>
      each.orderId === orderId && each.eventType === event ? [id] : [],
    )
    return ids.length > 0 && ids.every((id) => acknowledged.has(id))
  }

  /** Whether an item about an order has come due by itself, and no earlier step took it. */
  function hasComeDue(options: ItemSelector): boolean {
    observer.read()
    if (hasTakenEffect(options)) return true
    const { nth: _nth, order: slot, ...selector } = options
    const orderId = placedId(slot)
    for (const row of passed) {
      if (row.orderId !== orderId || !matchesItem(row, selector, orderId)) continue
      passed.delete(row)
      return true
    }
    for (const { fact } of session.facts()) {
      if (fact.kind !== 'agenda.taken' || accountedFor.has(fact.id)) continue
      const row = session.takenRow(fact.command)
      if (row.orderId === undefined || !matchesItem(row, selector, orderId)) continue
      if (slot !== undefined && row.orderId !== orderId) continue
      accountedFor.add(fact.id)
      return true
    }
    return false
  }

  /** Whether it has not come due by itself meanwhile, as it may on a clock that runs. */
  async function isPending(id: number, options: ItemSelector): Promise<boolean> {
    const { item } = await session.look({ item: id })
    if (item?.row.held) throw new StepFailure(`${itemText(options)} is held: release it first`)
    return item !== undefined
  }

  /** Takes items up to the one that is meant: one like it may lie further ahead, before this one is there. */
  async function stepTo({ nth: _nth, ...options }: ItemSelector, withinMs = waitMs): Promise<void> {
    const end = (await clock.now()) + withinMs
    while ((await clock.now()) <= end) {
      const row = await session.step()
      observer.read()
      if (!row) break
      if (!matchesItem(row, options, placedId(options.order))) {
        if (!row.background) passed.add(row)
        continue
      }
      accountedFor.add(row.id)
      return
    }
    throw new StepFailure(`${itemText(options)} did not come`)
  }

  /** Takes what is about orders, one item after the other, until the selected one is there. */
  async function stepUntil(options: ItemSelector): Promise<AgendaRow | undefined> {
    for (;;) {
      const found = await find(options)
      if (found) return found
      const { agenda } = await session.look({ agenda: { limit: maxRows, background: false } })
      const next = agenda.find(({ held, orderId }) => !held && orderId !== undefined)
      if (!next) return undefined
      while (await isPending(next.id, options)) await session.step()
    }
  }

  return {
    order,
    item: awaitItem,
    async pauseAt(options) {
      if (await clock.isDriven()) await awaitItem(options)
      await clock.pause()
      await findInTime(() => stepUntil(options), options)
    },
    async take(options, withinMs) {
      if (await clock.isDriven()) {
        if ((await find(options)) || !hasComeDue(options)) await stepTo(options, withinMs)
        return
      }
      const look = async () => (await find(options)) ?? (hasComeDue(options) ? 'taken' : undefined)
      const row = await findInTime(look, options, withinMs)
      if (row === 'taken') return
      const { id } = row
      // Loops and pauses of the service come before it, as they did.
      while (await isPending(id, options))
        await stepAround(session, (await itemsBefore(session, (each) => each.id === id)) ?? [])
      accountedFor.add(id)
    },
    async submit(command) {
      const result = await session.submit(command)
      if (result.ok) {
        for (const fact of result.value)
          if (fact.kind === 'order.lapsed') failLapsed(orderLifecycle, fact)
          else if (fact.kind === 'delivery.lapsed') failLapsed(deliveryLifecycle, fact)
        return result.value
      }
      throw new StepFailure(`it was refused: ${result.error.message} (${result.error.code})`)
    },
    async place(options, slot) {
      const orderId = await (subject === 'ordering-application' ? request : create)(options)
      const actualSlot = observer.orders.slotOf(orderId)
      if (slot !== undefined && actualSlot !== slot)
        throw new StepFailure(
          `the order called ${slot} came as ${actualSlot}: ${isEarlier(actualSlot, slot) ? 'one before it was not placed' : 'others were placed before it'}`,
        )
      return orderId
    },
  }
}
