/** Decides the commands of pauses. */
import { compact } from '../../base/compact.ts'
import { ok } from '../../protocol/result.ts'
import type { AgendaItem } from '../agenda/item.ts'
import type { Decisions } from '../decision.ts'
import type { PauseCommand } from './commands.ts'

export const pauseDecisions: Decisions<PauseCommand> = {
  'pause.begin'({ ms, fault, ...rest }, { world, now }) {
    const id = world.agenda.nextId
    const item: AgendaItem = {
      id,
      due: now + Math.max(0, ms),
      rank: id,
      held: false,
      command: { ...rest, kind: 'pause.end' },
      cause: 0,
      // A subject may sleep for ever; an answer that is held back is still to come.
      background: rest.whose === 'subject',
      ...compact({ fault }),
    }
    return ok([{ kind: 'agenda.planned', item }])
  },
  'pause.end': ({ pause, whose }) => ok([{ kind: 'pause.ended', pause, whose }]),
}
