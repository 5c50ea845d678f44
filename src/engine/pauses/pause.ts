/**
 * A pause that somebody outside the world makes: an answer that is held back, a call that goes out late, a subject in
 * this process that sleeps. Its end is an item on the agenda like everything else, so there is no second timer, a person
 * can hold and release it, and the virtual clock knows of it.
 */
import { ok, unreachable } from '../../protocol/result.ts'
import type { Context, Decision } from '../decision.ts'
import type { Item } from '../agenda/item.ts'

export type Pausing = 'answer' | 'call' | 'subject'

export type PauseCommand =
  /** Somebody pauses for a while. */
  | {
      readonly kind: 'pause.begin'
      /** Its number; whoever begins it counts. */
      readonly pause: number
      readonly whose: Pausing
      readonly ms: number
      /** What waits, in a few words. */
      readonly text?: string
      readonly orderId?: string
      /** The fault that makes it wait: with the end of faults it waits no longer, unless nothing was ever to come. */
      readonly fault?: number
      readonly hung?: true
    }
  /** The pause is over. */
  | {
      readonly kind: 'pause.end'
      readonly pause: number
      readonly whose: Pausing
      readonly text?: string
      readonly orderId?: string
      /** Nothing comes after it: who waits gives up by itself, and the end of faults is no answer either. */
      readonly hung?: true
    }

export type PauseFact =
  /** A pause came to its end: whoever made it goes on. */
  { readonly kind: 'pause.ended'; readonly pause: number; readonly whose: Pausing }

export function decidePause(command: PauseCommand, { world, now }: Context): Decision {
  switch (command.kind) {
    case 'pause.begin': {
      const { ms, fault, ...rest } = command
      const id = world.agenda.nextId
      const item: Item = {
        id,
        due: now + Math.max(0, ms),
        rank: id,
        held: false,
        command: { ...rest, kind: 'pause.end' },
        cause: 0,
        // A subject that sleeps may do so for ever; an answer that is held back is still to come.
        background: command.whose === 'subject',
        ...(fault === undefined ? {} : { fault }),
      }
      return ok([{ kind: 'agenda.planned', item }])
    }
    case 'pause.end':
      return ok([{ kind: 'pause.ended', pause: command.pause, whose: command.whose }])
    default:
      return unreachable(command)
  }
}
