/** Turns a planned command into an agenda item. With a wait condition it is due when the maximum wait ends. */
import { compact } from '../../compact.ts'
import type { Context } from '../decision.ts'
import { fromNow } from '../faults/wait.ts'
import type { Item, Planned } from './item.ts'

export const itemOf = (
  { command, afterMs, background, wait, rank, fault }: Planned,
  id: number,
  cause: number,
  { world, now }: Pick<Context, 'world' | 'now'>,
): Item => ({
  id,
  due: now + (wait ? wait.atMostMs : afterMs),
  rank: rank ?? id,
  held: false,
  command,
  cause,
  background: background ?? false,
  ...(wait ? { wait: fromNow(wait, world) } : {}),
  ...compact({ fault }),
})
