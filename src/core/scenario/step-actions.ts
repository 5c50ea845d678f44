/** Actions of steps on a session, with scenario names in place of ids: slots, item selectors. */
import { compact } from '../base/compact.ts'
import type { Command } from '../engine/command.ts'
import type { Fact } from '../engine/fact.ts'
import type { AgendaRow, NewOrder } from '../session-api/session-api.ts'
import type { Role } from '../protocol/role.ts'
import type { Configuration } from '../session-api/configuration/schema.ts'
import { askSubject, type SubjectAsking } from './ask-subject.ts'
import { findItem, itemText, type ItemSelector } from './item.ts'
import { StepFailure } from './step-failure.ts'
import type { ScenarioOrder } from './shared-shapes.ts'
import type { ScenarioClock } from './scenario-clock.ts'
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

  async function find(options: ItemSelector): Promise<AgendaRow | undefined> {
    observer.read()
    const orderId =
      options.order === undefined ? undefined : observer.orders.slots.get(options.order)
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
    const next = `o${observer.orders.slots.size + 1}`
    const asking = { clock, requestSubject }
    const body = { method: 'POST', path: asks.order, body: options } as const
    await askSubject(body, asking, waitMs, 'subject.asks.order')
    const hasCome = (): boolean => {
      observer.read()
      return observer.orders.slots.has(next)
    }
    if (await clock.waitUntil(hasCome, waitMs)) return order(next)
    throw new StepFailure('your service took the order, and no event told of it in time')
  }

  return {
    order,
    async submit(command) {
      const result = await session.submit(command)
      if (result.ok) return result.value
      throw new StepFailure(`it was refused: ${result.error.message} (${result.error.code})`)
    },
    async place(options, slot) {
      const orderId = await (subject === 'ordering-application' ? request : create)(options)
      const actualSlot = observer.orders.slotOf(orderId)
      if (slot !== undefined && actualSlot !== slot)
        throw new StepFailure(
          `the order called ${slot} came as ${actualSlot}: others were placed before it`,
        )
      return orderId
    },
    async item(options, withinMs = waitMs) {
      let found = await find(options)
      if (!found)
        await clock.waitUntil(async () => {
          found = await find(options)
          return found !== undefined
        }, withinMs)
      if (!found)
        throw new StepFailure(`${itemText(options)} is not on the agenda, and did not come`)
      return found
    },
  }
}
