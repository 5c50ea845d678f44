/**
 * When a playback with answers is over: what is sent has come to its end, and the service has made its calls or makes no
 * more; or, where it is served until somebody stops that, then.
 */
import type { Stage } from '../world-runtime.ts'
import type { Player } from './player.ts'
import { waitWhileItGoesOn } from './idle-timeout.ts'
import type { StandIn } from './recorded-partner.ts'

export interface EndingOptions {
  readonly standIn: StandIn
  readonly patienceMs: number
  /** It is served until somebody stops it. */
  readonly serves?: { readonly untilAll?: boolean; readonly idleMs?: number } | undefined
}

export interface Ending {
  /** The service has made a call, or something else has changed. */
  readonly check: () => void
  readonly stop: () => void
  /** Resolves when it is over. */
  readonly of: (player: Player, stage: Stage) => Promise<void>
}

export function createEnding({ standIn, patienceMs, serves }: EndingOptions): Ending {
  const over = new AbortController()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  let playing = true

  function check(): void {
    if (!playing && standIn.left() === 0 && (!serves || serves.untilAll)) over.abort()
  }
  over.signal.addEventListener('abort', () => stop(), { once: true })

  async function served(stage: Stage, { stop: give }: Player): Promise<void> {
    const { idleMs } = serves ?? {}
    const idle =
      idleMs === undefined
        ? stopped
        : waitWhileItGoesOn({
            stage,
            patienceMs: idleMs,
            progress: standIn.calls,
            onStill: () => false,
            enough: over.signal,
          })
    await Promise.race([stopped, idle])
    over.abort()
    give()
  }

  return {
    check,
    stop: () => over.abort(),
    async of(player, stage) {
      const ended = player.ended.then(() => {
        playing = false
        check()
      })
      const rest = serves
        ? served(stage, player)
        : standIn.settled({ patienceMs, enough: over.signal, playing: () => playing })
      await Promise.all([ended, rest])
    },
  }
}
