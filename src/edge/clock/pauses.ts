/**
 * Pauses of whoever stands outside the world: an answer that is held back, a call that goes out late, a subject in this
 * process that sleeps. Their ends are items on the agenda, so the session's clock decides when they are over.
 */
import { compact } from '../../compact.ts'
import type { Command } from '../../engine/command.ts'
import type { Engine } from '../../engine/engine.ts'
import type { PauseTarget } from '../../engine/pauses/pause.ts'
import type { World } from '../../engine/world.ts'

export interface PauseWish {
  readonly whose: PauseTarget
  /** In the session's time. */
  readonly ms: number
  /** What waits, in a few words. */
  readonly text?: string
  readonly orderId?: string | undefined
  /** The fault that makes it wait. */
  readonly fault?: number
  /** Nothing comes after it. */
  readonly hung?: true
  /** It is one of our own calls that waits. */
  readonly ours?: true
  /** Nobody waits any longer. */
  readonly enough?: AbortSignal | undefined
}

/** Resolves when the time is over, and says so; earlier when nobody waits any longer, or somebody took it off the agenda. */
export type Pause = (wish: PauseWish) => Promise<boolean>

/** Pauses of a world that another one goes on from are still on its agenda: their numbers are taken. */
const lastIn = ({ agenda }: World): number =>
  Math.max(0, ...[...agenda.byId.values()].map(({ command }) => numberOf(command)))

const numberOf = (command: Command): number => (command.kind === 'pause.end' ? command.pause : 0)

export function createPauses(engine: Engine, onEnd: () => void = () => undefined): Pause {
  const waiting = new Map<number, (over: boolean) => void>()
  /** By the item that ends it. */
  const items = new Map<number, (over: boolean) => void>()
  let last = lastIn(engine.world)

  engine.onFact(({ fact }) => {
    if (fact.kind === 'pause.ended') waiting.get(fact.pause)?.(true)
    else if (fact.kind === 'agenda.dropped') items.get(fact.id)?.(false)
  })

  return ({ whose, ms, text, orderId, fault, hung, enough }) =>
    new Promise((resolve) => {
      if (enough?.aborted) return resolve(false)
      const pause = ++last
      const decision = engine.submit(
        {
          kind: 'pause.begin',
          pause,
          whose,
          ms,
          ...compact({ text, orderId, fault, hung }),
        },
        whose === 'subject' ? 'subject' : 'session',
      )
      const planned = decision.ok ? decision.value[0] : undefined
      const id = planned?.kind === 'agenda.planned' ? planned.item.id : 0
      function end(over: boolean): void {
        waiting.delete(pause)
        items.delete(id)
        enough?.removeEventListener('abort', giveUp)
        onEnd()
        resolve(over)
      }
      function giveUp(): void {
        engine.submit({ kind: 'agenda.drop', id }, 'session')
        end(false)
      }
      waiting.set(pause, end)
      items.set(id, end)
      enough?.addEventListener('abort', giveUp, { once: true })
    })
}
