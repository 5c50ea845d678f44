/**
 * Detects the end of a playback with answers: all sends are concluded and the service has made its calls or is idle;
 * when serving, the stop signal or its end conditions.
 */
import type { Stage } from '../world-runtime.ts'
import type { Player } from './player.ts'
import { waitWhileItGoesOn } from './idle-timeout.ts'
import type { StandIn } from './recorded-partner.ts'

export interface EndingOptions {
  readonly standIn: StandIn
  readonly patienceMs: number
  /** Serving mode with its end conditions. */
  readonly serves?: { readonly untilAll?: boolean; readonly idleMs?: number } | undefined
}

export interface Ending {
  /** To be called after every call of the service: checks the end conditions. */
  readonly check: () => void
  readonly stop: () => void
  /** Resolves at the end of the playback. */
  readonly of: (player: Player, runtime: Stage) => Promise<void>
}

export function createEnding({
  standIn: recordedCounterpart,
  patienceMs,
  serves,
}: EndingOptions): Ending {
  const over = new AbortController()
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>()
  let playing = true

  function check(): void {
    if (!playing && recordedCounterpart.left() === 0 && (!serves || serves.untilAll)) over.abort()
  }
  over.signal.addEventListener('abort', () => stop(), { once: true })

  async function served(runtime: Stage, { stop: stopPlayer }: Player): Promise<void> {
    const { idleMs } = serves ?? {}
    const idle =
      idleMs === undefined
        ? stopped
        : waitWhileItGoesOn({
            stage: runtime,
            patienceMs: idleMs,
            progress: recordedCounterpart.calls,
            onStill: () => false,
            enough: over.signal,
          })
    await Promise.race([stopped, idle])
    over.abort()
    stopPlayer()
  }

  return {
    check,
    stop: () => over.abort(),
    async of(player, runtime) {
      const ended = player.ended.then(() => {
        playing = false
        check()
      })
      const rest = serves
        ? served(runtime, player)
        : recordedCounterpart.settled({ patienceMs, enough: over.signal, playing: () => playing })
      await Promise.all([ended, rest])
    },
  }
}
