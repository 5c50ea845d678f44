/** The polling channel: an event that was emitted is handed to the mailbox that polls see, at once or later. */
import type { Chance } from '../engine/chance.ts'
import type { Reactor } from '../engine/engine.ts'
import type { Planned } from '../engine/agenda/item.ts'
import { rulesOut } from '../engine/orders/receiver.ts'

export interface Handover {
  /** From the event to the moment when it is handed over. */
  readonly delayMs: (chance: Chance) => number
  /** Handed over twice, once in so many; 0 is never. */
  readonly repeatsOneIn: number
}

/** One handover, or two of the same event. */
export function handovers(
  planned: Planned,
  { repeatsOneIn }: Handover,
  chance: Chance,
): readonly Planned[] {
  return chance.oneIn(repeatsOneIn) ? [planned, planned] : [planned]
}

export const polling =
  (handover: Handover): Reactor =>
  (fact, { world, settings, chance }) => {
    if (fact.kind !== 'event.emitted' || !settings.channels.polling) return []
    // A receiver that declares no polling would let its mailbox grow for ever.
    if (rulesOut('polling', world)) return []
    const stream = chance('polling')
    const { eventId } = fact.event
    return handovers(
      { command: { kind: 'event.offer', eventId }, afterMs: handover.delayMs(stream) },
      handover,
      stream,
    )
  }
