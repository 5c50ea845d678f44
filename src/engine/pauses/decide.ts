/** Decides the commands of pauses. */
import { compact } from '../../compact.ts'
import { ok, assertNever } from '../../protocol/result.ts'
import type { DecisionContext, Decision } from '../decision.ts'
import type { AgendaItem } from '../agenda/item.ts'
import type { PauseCommand } from './pause.ts'

export function decidePause(command: PauseCommand, { world, now }: DecisionContext): Decision {
  switch (command.kind) {
    case 'pause.begin': {
      const { ms, fault, ...rest } = command
      const id = world.agenda.nextId
      const item: AgendaItem = {
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
      return assertNever(command)
  }
}
