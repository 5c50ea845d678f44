/** Waits of a saved scenario for what the service had learned and called before: in another run it could be later. */
import { compact } from '../base/compact.ts'
import { orderActOf } from '../protocol/operation.ts'
import { ordersOperations } from '../protocol/orders/operations.ts'
import type { SessionApi } from '../session-api/session-api.ts'
import type { SavedNames } from './save-names.ts'
import type { SavedRequest, SavedStory } from './save-story.ts'
import type { ScenarioInput } from './schema.ts'

type StepInput = NonNullable<ScenarioInput['steps']>[number]

/** Calls of a service by what each requests of an order. */
const callByTrigger: ReadonlyMap<string | undefined, string> = new Map(
  ordersOperations.map((row) => [orderActOf(row), row.id]),
)

/** What the service had learned and called about an order. */
interface OrderHistory {
  /** The last event of which it had taken responsibility, and how many of its type there were. */
  readonly event?: { readonly id: string; readonly type: string; readonly times: number }
  readonly calls: readonly SavedRequest[]
}

/** What an entry of the story repeats. */
export interface SavedEntry {
  /** The last fact before it. */
  readonly after: number
  /** Orders that it is about; all where it names none. */
  readonly about: readonly string[]
  /** The order that the operator moves, or to which an event is added. */
  readonly moved?: string | undefined
  /** The trigger of the item that it waits for. */
  readonly trigger?: string | undefined
}

const repeated = (times: number) => (times > 1 ? { times } : {})

export class SavedAwaits {
  readonly #session: SessionApi
  readonly #names: SavedNames
  readonly #requests: readonly SavedRequest[]
  /** What the file waits for already, by order. */
  readonly #awaited = new Map<string, OrderHistory>()

  constructor(session: SessionApi, { requests }: SavedStory, names: SavedNames) {
    this.#session = session
    this.#names = names
    this.#requests = requests
  }

  /** All until a fact has come about when the first step of the story does. */
  async begin(at: number): Promise<void> {
    for (const id of this.#names.orderIds) this.#awaited.set(id, await this.#historyAt(at, id))
  }

  async before({ about, ...entry }: SavedEntry): Promise<readonly StepInput[]> {
    const steps: StepInput[] = []
    for (const id of about.length > 0 ? about : this.#names.orderIds)
      steps.push(...(await this.#beforeAbout(id, entry)))
    return steps
  }

  async #beforeAbout(
    orderId: string,
    { after, moved, trigger }: Omit<SavedEntry, 'about'>,
  ): Promise<readonly StepInput[]> {
    const order = this.#names.slotOf(orderId)
    if (order === undefined) return []
    const awaited = this.#awaited.get(orderId)
    const { event, calls } = await this.#historyAt(after, orderId)
    const called = calls.length > (awaited?.calls.length ?? 0) ? calls.at(-1) : undefined
    const learned = event?.id === awaited?.event?.id ? undefined : event
    const isAnswered =
      called && learned && (await this.#historyAt(called.seq, orderId)).event?.id === learned.id
    // What it learned matters where it or the operator goes on from there.
    const goesOn = moved === orderId || this.#calls(orderId).some(({ seq }) => seq > after)
    const isAwaited = isAnswered || goesOn
    this.#awaited.set(orderId, {
      ...compact({ event: isAwaited ? event : awaited?.event }),
      calls,
    })
    const call = called && callByTrigger.get(called.trigger)
    return [
      ...(learned && goesOn && !isAnswered
        ? [{ await: { acknowledged: learned.type, order, ...repeated(learned.times) } }]
        : []),
      ...(called && call !== undefined && !this.#comesWith(called, trigger)
        ? [{ await: { call, order, ...repeated(this.#timesOf(called)) } }]
        : []),
    ] as readonly StepInput[]
  }

  /** Whether the item that is waited for can only come of this call. */
  #comesWith({ orderId, trigger, seq }: SavedRequest, awaited: string | undefined): boolean {
    const others = this.#requests.filter(
      (each) => each.orderId === orderId && each.trigger === trigger && each.seq < seq,
    )
    return trigger === awaited && others.length === 0
  }

  #timesOf({ orderId, trigger, seq }: SavedRequest): number {
    return this.#calls(orderId).filter((each) => each.trigger === trigger && each.seq <= seq).length
  }

  #calls(orderId: string): readonly SavedRequest[] {
    return this.#requests.filter((each) => each.orderId === orderId && each.isCall)
  }

  async #historyAt(at: number, orderId: string): Promise<OrderHistory> {
    const { order } = await this.#session.look({ at, orderId })
    const known = order?.events.filter(({ state }) => state === 'delivered') ?? []
    const last = known.at(-1)
    const times = known.filter(({ eventType }) => eventType === last?.eventType).length
    return {
      ...compact({ event: last && { id: last.eventId, type: last.eventType, times } }),
      calls: this.#calls(orderId).filter(({ seq }) => seq <= at),
    }
  }
}
