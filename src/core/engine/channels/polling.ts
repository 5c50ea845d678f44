/** The polling channel: puts emitted events into the mailbox for polls, at once or after a delay. */
import type { Chance } from '../chance.ts'
import type { Reactor } from '../engine.ts'
import type { PlannedCommand } from '../agenda/item.ts'
import { isChannelExcluded } from '../orders/receiver.ts'

export interface HandoverOptions {
  /** Delay from the event to its handover, in milliseconds. */
  readonly delayMs: (chance: Chance) => number
  /** Odds of a duplicate handover: one in n; 0 is never. */
  readonly repeatsOneIn: number
}

/** One handover, or two for a duplicate. */
export function planHandovers(
  planned: PlannedCommand,
  { repeatsOneIn }: HandoverOptions,
  chance: Chance,
): readonly PlannedCommand[] {
  return chance.oneIn(repeatsOneIn) ? [planned, planned] : [planned]
}

export const pollingReactor =
  (handover: HandoverOptions): Reactor =>
  (fact, { world, settings, chance }) => {
    if (fact.kind !== 'event.emitted' || !settings.channels.polling) return []
    // For a receiver that declares no polling the mailbox would grow for ever.
    if (isChannelExcluded('polling', world)) return []
    const stream = chance('polling')
    const { eventId } = fact.event
    return planHandovers(
      { command: { kind: 'event.offer', eventId }, afterMs: handover.delayMs(stream) },
      handover,
      stream,
    )
  }
