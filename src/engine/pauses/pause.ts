/**
 * A pause begun outside the world: an answer held back, a call sent late, a subject in this process that sleeps. Its
 * end is an agenda item, so there is no second timer, an operator can hold and release it, and the virtual clock
 * includes it.
 */
import { compact } from '../../compact.ts'
import { ok, unreachable } from '../../protocol/result.ts'
import type { Context, Decision } from '../decision.ts'
import type { Item } from '../agenda/item.ts'

export type Pausing = 'answer' | 'call' | 'subject'

export type PauseCommand =
  /** Begins a pause. */
  | {
      readonly kind: 'pause.begin'
      /** Number of the pause, assigned by the code that begins it. */
      readonly pause: number
      readonly whose: Pausing
      readonly ms: number
      /** Short text of what waits. */
      readonly text?: string
      readonly orderId?: string
      /** The fault that caused the pause: the end of faults ends it too, unless it is hung. */
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
      /** No answer follows: the caller gives up by its own timeout, and the end of faults does not end it. */
      readonly hung?: true
    }

export type PauseFact =
  /** A pause ended: the code that began it continues. */
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
        // A subject may sleep for ever; an answer that is held back is still to come.
        background: command.whose === 'subject',
        ...compact({ fault }),
      }
      return ok([{ kind: 'agenda.planned', item }])
    }
    case 'pause.end':
      return ok([{ kind: 'pause.ended', pause: command.pause, whose: command.whose }])
    default:
      return unreachable(command)
  }
}
