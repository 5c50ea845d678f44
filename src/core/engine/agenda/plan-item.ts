/** Turns a planned command into an agenda item. With a wait condition it is due when the maximum wait ends. */
import { compact } from '../../base/compact.ts'
import type { DecisionContext } from '../decision.ts'
import { toAbsoluteWait } from '../faults/wait.ts'
import type { AgendaItem, PlannedCommand } from './item.ts'

export const toAgendaItem = (
  { command, afterMs, background, wait, rank, fault }: PlannedCommand,
  id: number,
  cause: number,
  { world, now }: Pick<DecisionContext, 'world' | 'now'>,
): AgendaItem => ({
  id,
  due: now + (wait ? wait.atMostMs : afterMs),
  rank: rank ?? id,
  held: false,
  command,
  cause,
  background: background ?? false,
  ...(wait ? { wait: toAbsoluteWait(wait, world) } : {}),
  ...compact({ fault }),
})
