/**
 * Pauses in session time for code outside the world: a delayed answer, a delayed call, an in-process subject that
 * sleeps. Each ends by an item on the agenda, so the session's clock decides when it is over.
 */
import { compact } from '../../base/compact.ts'
import type { Command } from '../../engine/command.ts'
import type { Engine } from '../../engine/engine.ts'
import type { PauseTarget } from '../../engine/pauses/commands.ts'
import type { World } from '../../engine/world.ts'

export interface PauseRequest {
  readonly whose: PauseTarget
  /** Milliseconds of session time. */
  readonly ms: number
  /** Short description of what waits. */
  readonly text?: string
  readonly orderId?: string | undefined
  /** Number of the fault that causes the pause. */
  readonly fault?: number
  /** No answer follows the pause. */
  readonly hung?: true
  /** The paused call is one of our own. */
  readonly isOwnCall?: true
  /** Ends the pause early. */
  readonly enough?: AbortSignal | undefined
}

/** Resolves to true when the time is over; earlier, to false, when it is aborted or dropped from the agenda. */
export type Pause = (request: PauseRequest) => Promise<boolean>

/** The highest pause number in use: a world that continues from another has that one's pauses on its agenda. */
const highestPause = ({ agenda }: World): number =>
  Math.max(0, ...[...agenda.byId.values()].map(({ command }) => numberOf(command)))

const numberOf = (command: Command): number => (command.kind === 'pause.end' ? command.pause : 0)

export function createPauses(engine: Engine, onEnd: () => void = () => undefined): Pause {
  const waiting = new Map<number, (over: boolean) => void>()
  /** Waiting pauses by the id of the item that ends them. */
  const items = new Map<number, (over: boolean) => void>()
  let last = highestPause(engine.world)

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
